// plotly.js from the app's own server, once a page load. The document asks for it before any of this runs (`ui/head.py`);
// what failed to come is asked for anew. The address also survives server.baseUrlPath.
import { spoken } from "./language.js";

export const loadPlotly = (bundle) =>
  (window.__tvPlotly ??= new Promise((resolve, reject) => {
    if (window.Plotly) { resolve(window.Plotly); return; }
    const src = new URL(bundle, document.baseURI).href;
    const coming = [...document.scripts].find((script) => script.src === src);
    const script = coming ?? Object.assign(document.createElement("script"), { src });
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      script.remove();
      delete window.__tvPlotly;
      reject(new Error(spoken("The drawing library could not be loaded from this server: reload the page.")));
    };
    if (!coming) document.head.append(script);
  }));
