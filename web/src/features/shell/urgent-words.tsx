/** The text of an urgent notice. */
import { Html } from "../../ui/html/html";
import { BrokenIcon } from "../../ui/icons/icons";
import styles from "./notice-banner.module.css";

export default function UrgentWords({ notice }: { notice: { title: string; html: string } }) {
  return (
    <>
      <strong className={styles.title}>
        <BrokenIcon />
        <span>{notice.title}</span>
      </strong>
      <Html html={notice.html} className={styles.text} />
    </>
  );
}
