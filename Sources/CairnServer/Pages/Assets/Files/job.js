// How far a job is; the page comes anew when it has ended.
const job = document.querySelector("#job");
async function look() {
  const answer = await fetch(`/api/v1/jobs/${encodeURIComponent(job.dataset.job)}`).catch(() => null);
  const state = answer?.ok ? await answer.json() : null;
  if (state && state.state !== "running") return location.reload();
  if (state) job.textContent = `Event ${state.done}${state.total ? ` of ${state.total}` : ""}.`;
  setTimeout(look, 500);
}
if (job) look();
