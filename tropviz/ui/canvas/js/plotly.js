// plotly.js from the app's own server, once a page load; the address also survives server.baseUrlPath.
import { spoken } from "./language.js";

export const loadPlotly = (bundle) =>
  (window.__tvPlotly ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(bundle, document.baseURI).href;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      script.remove();
      delete window.__tvPlotly;
      reject(new Error(spoken("The drawing library could not be loaded from this server: reload the page.")));
    };
    document.head.append(script);
  }));
