/** The site's icons. All are decorative: adjacent text or a label carries the meaning. */
import type { ReactNode } from "react";

interface IconProps {
  className?: string | undefined;
}

function Icon({ className, children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
      focusable="false"
      className={className}
    >
      {children}
    </svg>
  );
}

const icon = (shapes: ReactNode) => (props: IconProps) => <Icon {...props}>{shapes}</Icon>;

const STROKE = { fill: "none", stroke: "currentColor", strokeWidth: 1.7 } as const;
const ROUND = { ...STROKE, strokeLinecap: "round", strokeLinejoin: "round" } as const;

export const CrossIcon = icon(<path d="M4 4l8 8M12 4l-8 8" {...ROUND} />);

/** A person: the team's account. */
export const TeamIcon = icon(
  <>
    <circle cx="8" cy="5" r="2.75" {...STROKE} />
    <path d="M2.5 14c.6-3 2.7-4.5 5.5-4.5s4.9 1.5 5.5 4.5" {...ROUND} />
  </>,
);

const MAST = "M3.15 1.85a.85.85 0 0 1 1.7 0v12.3a.85.85 0 0 1-1.7 0z";

/** A small flag at the top of its mast: solved. */
export const SolvedIcon = icon(
  <path d={`${MAST}M5.5 2.2h8.1l-2 2.5 2 2.5H5.5z`} fill="currentColor" />,
);

/** A hollow flag: solved, and sealed until the reveal. */
export const SealedIcon = icon(
  <path
    d={`${MAST}M5.5 1.7h9.3l-2.3 3 2.3 3H5.5zM6.8 3v3.4h5.3l-1.3-1.7L12.1 3z`}
    fill="currentColor"
    fillRule="evenodd"
  />,
);

const PENNANT = "M5.5 1.6l10.1 4.8-10.1 4.8z";
const DROP = "M8 4c1 1.2 1.6 2 1.6 2.8a1.6 1.6 0 0 1-3.2 0C6.4 6 7 5.2 8 4z";

/** A long pennant with a drop: first blood. */
export const FirstBloodIcon = icon(
  <path d={`${MAST}${PENNANT}${DROP}`} fill="currentColor" fillRule="evenodd" />,
);

/** A medal with its rank: 1, 2 or 3. */
export function MedalIcon({ place, className }: IconProps & { place: number }) {
  return (
    <Icon className={className}>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <text x="8" y="11.4" textAnchor="middle" fontSize="9.5" fontWeight="700" fill="#10151b">
        {place}
      </text>
    </Icon>
  );
}

/** A padlock: locked. */
export const LockIcon = icon(
  <>
    <rect x="3" y="7" width="10" height="7.5" rx="1.5" fill="currentColor" />
    <path d="M5.25 7V4.75a2.75 2.75 0 0 1 5.5 0V7" {...STROKE} />
  </>,
);

export const DownloadIcon = icon(<path d="M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10" {...ROUND} />);

export const LinkIcon = icon(
  <path
    d="M6.5 9.5l3-3M7 4.5l1.6-1.6a3 3 0 0 1 4.4 4.4L11.4 9M9 11.5l-1.6 1.6A3 3 0 0 1 3 8.7L4.6 7"
    {...ROUND}
  />,
);

export const ChevronIcon = icon(<path d="M4 6l4 4 4-4" {...ROUND} />);

/** Two sheets: copy. */
export const CopyIcon = icon(<path d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7" {...ROUND} />);

/** An eye: under investigation. */
export const EyeIcon = icon(
  <>
    <path
      d="M1.5 8C3 5.2 5.3 3.8 8 3.8S13 5.2 14.5 8c-1.5 2.8-3.8 4.2-6.5 4.2S3 10.8 1.5 8z"
      {...ROUND}
    />
    <circle cx="8" cy="8" r="1.9" fill="currentColor" />
  </>,
);

/** A triangle with an exclamation mark: broken, or urgent. */
export const BrokenIcon = icon(<path d="M8 2l6.3 11.5H1.7zM8 6.4v3.2M8 11.6v.1" {...ROUND} />);

/** An i in a circle: information. */
export const InfoIcon = icon(
  <>
    <circle cx="8" cy="8" r="6.2" {...STROKE} />
    <path d="M8 7.4v3.6M8 5v.1" {...ROUND} />
  </>,
);

/** A check mark: done, or fixed. */
export const CheckIcon = icon(<path d="M3 8.5l3.2 3.2L13 4.8" {...ROUND} />);
