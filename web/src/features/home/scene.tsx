/** A generated picture: a harbor at the horizon, with three pennants in the wind. */
import styles from "./scene.module.css";

/** A pennant on its mast: the mast's place and top, the cloth and its charge, and their colors. */
interface Mast {
  x: number;
  top: number;
  cloth: string;
  charge: string;
  colors: readonly ["pale" | "bright" | "deep", "pale" | "bright" | "deep"];
}

/** Height at which the masts stand on the pier. */
const FOOT = 742;
const MASTS: readonly Mast[] = [
  {
    x: 96,
    top: 128,
    cloth: "M0 0c42-16 66 12 108 4s62-2 104 30c-40 18-64 2-104 20S44 78 0 78z",
    charge: "M0 27c42-13 66 10 108 3 30-5 60-6 104 4-40 18-64 2-104 20C70 64 44 40 0 51z",
    colors: ["bright", "pale"],
  },
  {
    x: 356,
    top: 44,
    cloth: "M0 0c50-22 84 16 132 4s82-12 126 0l-46 46 46 50c-44-12-78-12-126 0S50 82 0 104z",
    charge: "M132 4c48-12 82-12 126 0l-46 46 46 50c-44-12-78-12-126 0z",
    colors: ["bright", "pale"],
  },
  {
    x: 628,
    top: 166,
    cloth: "M0 0c38-16 62 10 98 2s76-4 128 34c-46 16-82 14-128 24S38 66 0 80z",
    charge: "M34-8c10 0 20 3 30 6v68c-10-2-20-1-30 2z",
    colors: ["deep", "pale"],
  },
];

/** Glints of the low sun on the water: start, height, length. */
const GLINTS = [
  [102, 604, 196],
  [140, 618, 128],
  [70, 632, 92],
  [186, 636, 138],
  [112, 654, 170],
  [222, 674, 76],
  [60, 682, 110],
  [150, 706, 120],
] as const;

/** The piles below the pier. */
const PILES = Array.from({ length: 16 }, (_, at) => `M${60 + at * 180} 752h12v60h-12z`).join("");

function Flag({ mast: { x, top, cloth, charge, colors } }: { mast: Mast }) {
  const [field, other] = colors;
  return (
    <g transform={`translate(${x} ${top})`}>
      <path d={`M-3.5 ${FOOT - top}L-1.5-22h3L3.5 ${FOOT - top}z`} className={styles.ink} />
      <circle cy="-25" r="5.5" className={styles.ball} />
      <g transform="translate(2 0)">
        <g className={styles.cloth}>
          <path d={cloth} className={styles[field]} />
          <path d={charge} className={styles[other]} />
          <path d={cloth} fill="url(#folds)" />
        </g>
      </g>
    </g>
  );
}

export function Scene() {
  return (
    <div className={styles.scene} dir="ltr" aria-hidden="true">
      <svg
        viewBox="0 0 1600 100"
        preserveAspectRatio="none"
        className={styles.land}
        aria-hidden="true"
      >
        <path d="M0 62c120-30 210-26 330-14s190 30 300 30 190 12 300 14h670v8H0z" />
        <path d="M1600 40c-90-10-150 4-240 22s-190 26-300 30h-60v8h600z" />
      </svg>
      <svg viewBox="0 0 900 800" className={styles.harbor} aria-hidden="true">
        <linearGradient id="folds" gradientUnits="userSpaceOnUse" x2="120" spreadMethod="repeat">
          <stop stopOpacity="0.2" />
          <stop offset="0.35" stopOpacity="0" />
          <stop offset="0.75" stopOpacity="0.16" />
          <stop offset="1" stopOpacity="0.2" />
        </linearGradient>
        <path d="M112 592a88 88 0 0 1 176 0z" className={styles.sun} />
        <g className={styles.glints}>
          {GLINTS.map(([x, y, length]) => (
            <path key={y} d={`M${x} ${y}h${length}`} />
          ))}
        </g>
        {MASTS.map((mast) => (
          <Flag key={mast.x} mast={mast} />
        ))}
        <path d={`M20 738h3000v14H20z${PILES}`} className={styles.ink} />
      </svg>
    </div>
  );
}
