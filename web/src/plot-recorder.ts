/**
 * A fake uPlot for the tests of pages with a graph: the test DOM has no canvas. It records its
 * arguments.
 */

/** The arguments of each plot, the newest last. */
export const plotted: { options: unknown; data: unknown }[] = [];

export default class PlotRecorder {
  static paths = {};
  static pxRatio = 1;
  bbox = { left: 0, top: 0, width: 0, height: 0 };
  series = [];
  constructor(options: unknown, data: unknown) {
    plotted.push({ options, data });
  }
  destroy() {}
  redraw() {}
  setCursor() {}
  valToPos() {
    return 0;
  }
  posToVal() {
    return 0;
  }
}
