// What this browser keeps for itself: colours, keys, whether choices teach.
function prepare() {
  const looks = document.querySelector("#looks");
  if (!looks || !looks.hidden) return;
  looks.hidden = false;
  const theme = looks.querySelector("#theme");
  theme.value = localStorage.getItem("theme") ?? "";
  theme.addEventListener("change", () => {
    localStorage.setItem("theme", theme.value);
    if (theme.value) document.documentElement.dataset.theme = theme.value;
    else delete document.documentElement.dataset.theme;
  });
  for (const name of ["keys", "choices"]) {
    const box = looks.querySelector(`#${name}`);
    box.checked = localStorage.getItem(name) !== "off";
    box.addEventListener("change", () => localStorage.setItem(name, box.checked ? "on" : "off"));
  }
}
document.addEventListener("page", prepare);
prepare();
