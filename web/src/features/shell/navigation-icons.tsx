/** Icons of the navigation. All are decorative: words or a label carry the meaning. */
import type { ReactNode } from "react";

const icon = (shapes: ReactNode) => () => (
  <svg
    viewBox="0 0 20 20"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {shapes}
  </svg>
);

/** A podium. */
export const ScoreboardIcon = icon(
  <path d="M2.5 17V11h5v6M7.5 17V4h5v13M12.5 17V8.5h5V17M2 17h16" />,
);

/** A flag in the wind. */
export const ChallengesIcon = icon(
  <path d="M4.5 18V2.5M4.5 3.5c2-1.2 4-1.2 6 0s3.7 1 5.5 0v8c-1.8 1-3.5 1.2-5.5 0s-4-1.2-6 0" />,
);

/** A sheet of paper. */
export const RulesIcon = icon(<path d="M4.5 2.5h8l3 3v12h-11zM7.5 8h5M7.5 11h5M7.5 14h3" />);

/** A bell. */
export const NewsIcon = icon(
  <path d="M4 14.5c1.2-1.2 1.5-2.5 1.5-5.5a4.5 4.5 0 0 1 9 0c0 3 .3 4.3 1.5 5.5zM8.3 17.3h3.4" />,
);

/** An arrow into a door. */
export const LoginIcon = icon(<path d="M9 3h7v14H9M2.5 10H12M9 7l3 3-3 3" />);

/** A person, and a plus sign. */
export const SignupIcon = icon(
  <>
    <path d="M8 9.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z" />
    <path d="M2 17c.5-3.2 2.7-5 6-5 1.2 0 2.3.3 3.2.8M15 12v6M12 15h6" />
  </>,
);

/** Three dots. */
export const MoreIcon = icon(<path strokeWidth="2.6" d="M4 10h.01M10 10h.01M16 10h.01" />);

/** Two sliders: the preferences. */
export const PreferencesIcon = icon(
  <>
    <path d="M2.5 6.5H9M13.5 6.5h4M2.5 13.5h4M11 13.5h6.5" />
    <path d="M11.25 8.75a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5z" />
    <path d="M8.75 15.75a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5z" />
  </>,
);
