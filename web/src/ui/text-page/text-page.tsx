/** A page of text from the organizers. */
import type { ComponentProps } from "react";
import { Html } from "../html/html";
import { Pending } from "../loading/loading";
import styles from "./text-page.module.css";

interface TextPageProps {
  title: string;
  query: ComponentProps<typeof Pending>["query"] & { data: { html: string } | undefined };
  /** A sentence from the site below the text. */
  note?: string | undefined;
  loading: string;
}

export function TextPage({ title, query, note, loading }: TextPageProps) {
  const { data } = query;
  return (
    <article className={styles.page}>
      <h1>{title}</h1>
      {data && <Html html={data.html} className={styles.text} />}
      {data && note !== undefined && <p className={styles.text}>{note}</p>}
      <Pending query={query} label={loading} />
    </article>
  );
}
