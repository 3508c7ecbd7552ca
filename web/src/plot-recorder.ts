/**
 * Stands in for uPlot in the tests of pages with a graph: there is no canvas, and what is handed to
 * it is all that is ours.
 */

/** What was plotted, the newest last. */
export const plotted: { options: unknown; data: unknown }[] = [];

export default class PlotRecorder {
  static paths = {};
  constructor(options: unknown, data: unknown) {
    plotted.push({ options, data });
  }
  destroy() {}
  setCursor() {}
  valToPos() {
    return 0;
  }
}
