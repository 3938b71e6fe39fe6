// The files a person gave, kept in this tab: a server that lost them (it restarted, the line was cut for too long) is given
// them again, the same way as by hand.
const given = (window.__tvFiles ??= new Map());          // uploader: the last file
const offered = new Set();

const uploader = (node) => [...(node.closest?.('[class*="st-key-upload_"]')?.classList ?? [])]
  .find((name) => name.startsWith("st-key-upload_"))?.slice("st-key-".length);

function take(event, files) {
  const name = uploader(event.target);
  if (name && files?.length) given.set(name, files[0]);
}

if (!window.__tvFilesHeard) {
  window.__tvFilesHeard = true;
  document.addEventListener("change", (e) => {
    if (e.target instanceof HTMLInputElement && e.target.type === "file") take(e, e.target.files);
  }, true);
  document.addEventListener("drop", (e) => take(e, e.dataTransfer?.files), true);
}

// needs: uploader: name of the file that the scene waits for, or nothing. One at a time: the router before its points.
export function offer(needs, session) {
  for (const [name, wanted] of Object.entries(needs ?? {})) {
    if (!wanted) continue;
    const file = given.get(name);
    /** @type {HTMLInputElement | null} */
    const input = document.querySelector(`.st-key-${name} input[type="file"]`);
    const once = `${session} ${name} ${wanted}`;
    if (!file || file.name !== wanted || !input || offered.has(once)) continue;
    offered.add(once);
    const list = new DataTransfer();
    list.items.add(file);
    input.files = list.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    return;
  }
}
