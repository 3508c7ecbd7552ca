/**
 * A fake uPlot for the tests of pages with a graph: the test DOM has no canvas. It records what it
 * is given.
 */

/** The arguments of each plot, the newest last. */
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
