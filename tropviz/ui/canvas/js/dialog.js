import { spoken } from "./language.js";

// A dialog over the page: closed by Escape, its button, or a click beside it; the focus goes back to where it was.
export const make = (tag, more = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), more);
  node.append(...children);
  return node;
};

export function dialog(title, className, ...children) {
  document.querySelector("dialog.tv-dialog")?.remove();
  const close = make("button", { type: "button", textContent: spoken("Close"), className: "tv-close" });
  const shown = make("dialog", { className: `tv-dialog ${className}`, ariaLabel: title }, make("header", {}, make("h2", { textContent: title }), close), ...children);
  close.onclick = () => shown.close();
  shown.onclick = (event) => { if (event.target === shown) shown.close(); };
  shown.onclose = () => shown.remove();
  (document.querySelector(".stApp") ?? document.body).append(shown);
  shown.showModal();
  return shown;
}
