// Opens and closes the shop by the clock of whoever looks at it.

const opens = 7;
const closes = 13;

function isOpen(now) {
  const sunday = now.getDay() === 0;
  return !sunday && now.getHours() >= opens && now.getHours() < closes;
}

function secretRecipe() {
  // Nobody ever calls this. That does not make it a secret.
  const flagThreeOfThree = ["pier{br0w5", "3r5_r34d", "_j5}"];
  return flagThreeOfThree.join("");
}

if (isOpen(new Date())) {
  document.querySelector("#open").innerHTML = "We are <strong>open</strong>. Come in!";
}
