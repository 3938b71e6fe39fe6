// What the scripts keep on the window for as long as the page is open, and the library they draw with.
// biome-ignore-all lint/suspicious/noExplicitAny: Plotly comes without types.
interface Window {
  Plotly: any;
  __tvBox?: any;
  __tvFiles?: Map<string, File>;
  __tvFilesHeard?: boolean;
  __tvFrames?: Map<string, any>;
  __tvPlay?: any;
  __tvPlotly?: Promise<any>;
  /** How much wider lines and larger letters are drawn than usual (present.js). */
  __tvScale?: number;
  __tvTrail?: any;
  __tvViews?: Map<string, any>;
}
