/**
 * The site's icons. All are decorative: a text or label beside them has their meaning.
 */
import type { ReactNode } from "react";

function Icon(props: { children: ReactNode; className?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
      focusable="false"
      className={props.className}
    >
      {props.children}
    </svg>
  );
}

const STROKE = { fill: "none", stroke: "currentColor", strokeWidth: 1.7 } as const;
const ROUND = { strokeLinecap: "round", strokeLinejoin: "round" } as const;

export function CrossIcon() {
  return (
    <Icon>
      <path d="M4 4l8 8M12 4l-8 8" {...STROKE} {...ROUND} />
    </Icon>
  );
}

/** A person: the team's account. */
export function TeamIcon() {
  return (
    <Icon>
      <circle cx="8" cy="5" r="2.75" {...STROKE} />
      <path d="M2.5 14c.6-3 2.7-4.5 5.5-4.5s4.9 1.5 5.5 4.5" {...STROKE} {...ROUND} />
    </Icon>
  );
}

/** A flag on its pole: solved. */
export function SolvedIcon({ className }: { className?: string | undefined }) {
  return (
    <Icon className={className}>
      <path
        d="M3.15 2a.85.85 0 0 1 1.7 0v12a.85.85 0 0 1-1.7 0zM5 3h8l-2.2 2.8L13 8.6H5z"
        fill="currentColor"
      />
    </Icon>
  );
}

/** A drop: first blood. */
export function FirstBloodIcon({ className }: { className?: string | undefined }) {
  return (
    <Icon className={className}>
      <path
        d="M8 1.5c2.4 3.2 4.4 5.4 4.4 8A4.4 4.4 0 1 1 3.6 9.5c0-2.6 2-4.8 4.4-8z"
        fill="currentColor"
      />
    </Icon>
  );
}

/** A medal with its rank: 1, 2 or 3. */
export function MedalIcon(props: { place: number; className?: string | undefined }) {
  return (
    <Icon className={props.className}>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <text x="8" y="11.4" textAnchor="middle" fontSize="9.5" fontWeight="700" fill="#10151b">
        {props.place}
      </text>
    </Icon>
  );
}

export function LockIcon() {
  return (
    <Icon>
      <rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor" />
      <path d="M5.2 7V5a2.8 2.8 0 0 1 5.6 0v2" {...STROKE} />
    </Icon>
  );
}

export function DownloadIcon() {
  return (
    <Icon>
      <path d="M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10" {...STROKE} {...ROUND} />
    </Icon>
  );
}

export function LinkIcon() {
  return (
    <Icon>
      <path d="M6.5 9.5l3-3" {...STROKE} {...ROUND} />
      <path d="M7 4.5l1.6-1.6a3 3 0 0 1 4.4 4.4L11.4 9" {...STROKE} {...ROUND} />
      <path d="M9 11.5l-1.6 1.6A3 3 0 0 1 3 8.7L4.6 7" {...STROKE} {...ROUND} />
    </Icon>
  );
}

export function ChevronIcon({ className }: { className?: string | undefined }) {
  return (
    <Icon className={className}>
      <path d="M4 6l4 4 4-4" {...STROKE} {...ROUND} />
    </Icon>
  );
}

/** Two sheets: copy. */
export function CopyIcon() {
  return (
    <Icon>
      <path d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7" {...STROKE} {...ROUND} />
    </Icon>
  );
}

/** An eye: looked at. */
export function EyeIcon() {
  return (
    <Icon>
      <path
        d="M1.5 8C3 5.2 5.3 3.8 8 3.8S13 5.2 14.5 8c-1.5 2.8-3.8 4.2-6.5 4.2S3 10.8 1.5 8z"
        {...STROKE}
        {...ROUND}
      />
      <circle cx="8" cy="8" r="1.9" fill="currentColor" />
    </Icon>
  );
}

/** A triangle with an exclamation mark: broken, or urgent. */
export function BrokenIcon() {
  return (
    <Icon>
      <path d="M8 2l6.3 11.5H1.7z" {...STROKE} {...ROUND} />
      <path d="M8 6.4v3.2M8 11.6v.1" {...STROKE} {...ROUND} />
    </Icon>
  );
}

/** A tick: done, or fixed. */
export function CheckIcon() {
  return (
    <Icon>
      <path d="M3 8.5l3.2 3.2L13 4.8" {...STROKE} {...ROUND} />
    </Icon>
  );
}
