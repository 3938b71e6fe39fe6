// What the scripts keep on the window for as long as the page is open, and the library they draw with.
// biome-ignore-all lint/suspicious/noExplicitAny: Plotly comes without types.
interface Window {
  Plotly: any;
  __tvBox?: any;
  __tvFrames?: Map<string, any>;
  __tvPlotly?: Promise<any>;
  __tvViews?: Map<string, any>;
}
