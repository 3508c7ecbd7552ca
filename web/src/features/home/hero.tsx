/** The hero of the home page: the event's picture or the generated scene, behind the content. */
import type { ReactNode } from "react";
import type { SiteInfo } from "../../api/site";
import { Picture } from "../../ui/picture/picture";
import styles from "./hero.module.css";
import { Scene } from "./scene";

export function Hero(props: { picture: SiteInfo["hero"] | undefined; children: ReactNode }) {
  const { picture, children } = props;
  return (
    <div className={styles.hero}>
      {picture ? <Picture picture={picture} alt="" className={styles.picture} /> : <Scene />}
      <div className={styles.frame}>{children}</div>
    </div>
  );
}
