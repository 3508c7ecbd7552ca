/** The page of an unknown address: the harbor of the home page, and ways out. */
import { useMessages } from "../../messages/language";
import styles from "./lost.module.css";
import { Scene } from "./scene";

export function Lost() {
  const { problem, navigation } = useMessages();
  return (
    <section className={styles.lost}>
      <Scene />
      <div>
        <h1>{problem.nothingHere}</h1>
        <p>{problem.leadsNowhere}</p>
        <div className={styles.ways}>
          <a href="/" className="button button-primary">
            {problem.toHome}
          </a>
          <a href="/scoreboard" className="button">
            {navigation.scoreboard}
          </a>
          <a href="/challenge" className="button">
            {navigation.challenges}
          </a>
        </div>
      </div>
    </section>
  );
}
