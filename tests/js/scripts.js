// The scripts under test, with the little of a browser that they touch when they are loaded.
globalThis.window ??= new EventTarget();
globalThis.document ??= { querySelectorAll: () => [], baseURI: "http://localhost/" };

export const scripts = (name) => import(`../../tropviz/ui/canvas/js/${name}.js`);
