// Tokens as a text: a click on a word, or Enter on it, tells Python which one it is.
import { box } from "./outbox.js";

export default function ({ data, parentElement }) {
  const text = parentElement.querySelector(".tv-words");
  text.ariaLabel = data.label;
  text.replaceChildren(...data.words.flatMap(([word, colour, opacity, hint], i) => {
    const node = Object.assign(document.createElement("span"), { textContent: word.trim() || "␣", title: hint, tabIndex: 0 });
    Object.assign(node.style, { color: colour, opacity: String(opacity) });
    node.setAttribute("role", "option");
    node.ariaSelected = String(i === data.picked);
    const say = () => box.say(data.key, "click", { index: i });
    node.onclick = say;
    node.onkeydown = (e) => { if (e.key === "Enter") say(); };
    return [node, " "];
  }));
  text.dataset.words = String(data.words.length);
}
