/** Icons of the bar and the rail. All are decorative: their names are beside them. */
import type { ReactNode } from "react";
import type { PageName } from "../pages";

const LINE = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.5,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

const icon = (shapes: ReactNode) => () => <Icon>{shapes}</Icon>;

export const SearchIcon = icon(
  <path d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3l3.2 3.2" {...LINE} />,
);
export const PauseIcon = icon(<path d="M5.5 3v10M10.5 3v10" {...LINE} strokeWidth={2} />);
export const ResumeIcon = icon(<path d="M5 3.2v9.6L12.5 8z" {...LINE} />);
export const NoticeIcon = icon(
  <path d="M2.5 6.3v3.4h2.3l6.2 3V3.3l-6.2 3zM5.5 10l.8 3.3M13.4 6.7v2.6" {...LINE} />,
);
export const MoreIcon = icon(
  <>
    <circle cx="3" cy="8" r="1.4" fill="currentColor" />
    <circle cx="8" cy="8" r="1.4" fill="currentColor" />
    <circle cx="13" cy="8" r="1.4" fill="currentColor" />
  </>,
);
export const FrozenIcon = icon(
  <path
    d="M8 1.5v13M2.4 4.75l11.2 6.5M13.6 4.75L2.4 11.25M6.3 2.4L8 4l1.7-1.6M6.3 13.6L8 12l1.7 1.6"
    {...LINE}
    strokeWidth={1.3}
  />,
);
export const NextIcon = icon(<path d="M6 4l4 4-4 4" {...LINE} />);
export const CheckedIcon = icon(<path d="M3 8.5l3.2 3.2L13 4.8" {...LINE} />);
const PersonIcon = icon(
  <path
    d="M8 2.3a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4zM2.6 13.7C3.2 11 5.2 9.7 8 9.7s4.8 1.3 5.4 4"
    {...LINE}
  />,
);

const TWO_PEOPLE =
  "M6 3a2.3 2.3 0 1 1 0 4.6A2.3 2.3 0 0 1 6 3zM1.5 13c.3-2.3 2-3.5 4.5-3.5s4.2 1.2 4.5 3.5" +
  "M10.7 3.3a2.1 2.1 0 0 1 0 4M12 9.9c1.5.5 2.3 1.6 2.5 3.1";
const SLIDERS =
  "M2.5 4.5h5.2M11.3 4.5h2.2M2.5 11.5h2.2M8.3 11.5h5.2M9.5 2.7a1.8 1.8 0 1 1 0 3.6" +
  "a1.8 1.8 0 0 1 0-3.6zM6.5 9.7a1.8 1.8 0 1 1 0 3.6a1.8 1.8 0 0 1 0-3.6z";

const PAGES: Readonly<Record<PageName, () => ReactNode>> = {
  overview: icon(
    <path d="M2.5 2.5h5v6h-5zM10.5 2.5h3v3h-3zM10.5 8.5h3v5h-3zM2.5 11.5h5v2h-5z" {...LINE} />,
  ),
  challenges: icon(<path d="M3.5 14.5v-12M3.5 3h9l-2.3 3 2.3 3h-9" {...LINE} />),
  teams: icon(<path d={TWO_PEOPLE} {...LINE} />),
  submissions: icon(<path d="M8 2v7M5 6.2L8 9.2l3-3M2.5 9.5v4h11v-4" {...LINE} />),
  messages: icon(<path d="M2.5 3h11v8H7l-3 2.7V11H2.5zM5.3 6h5.4M5.3 8.2h3.4" {...LINE} />),
  event: icon(<path d={SLIDERS} {...LINE} />),
  auditLog: icon(<path d="M3 3.5h.1M6 3.5h7.5M3 8h.1M6 8h7.5M3 12.5h.1M6 12.5h7.5" {...LINE} />),
  account: PersonIcon,
};

export function PageIcon({ of }: { of: PageName }) {
  const Shape = PAGES[of];
  return <Shape />;
}
