import type { Interaction, Sample, SlackStandIn } from './slack.ts'

/** The n-th interaction of a mix of as many commands as clicks, over so many workspaces and pages. */
export const mix =
  ({ teams, pages }: { teams: number; pages: number }) =>
  (n: number): Interaction => ({
    kind: n % 2 === 0 ? 'command' : 'click',
    team: n % teams,
    page: 1 + (n % pages),
  })

/** As many as it takes, so many under way at a time: what comes through is the most there is. */
export async function saturate(
  slack: SlackStandIn,
  url: string,
  { next, underWay, ms }: { next: (n: number) => Interaction; underWay: number; ms: number },
): Promise<{ readonly samples: readonly Sample[]; readonly seconds: number }> {
  const samples: Sample[] = []
  const start = performance.now()
  let n = 0
  const one = async () => {
    while (performance.now() - start < ms) {
      n += 1
      samples.push(await slack.send(url, next(n)))
    }
  }
  await Promise.all(Array.from({ length: underWay }, one))
  return { samples, seconds: (performance.now() - start) / 1000 }
}

/** So many a second whether they are answered or not, as people do. */
export async function steadily(
  slack: SlackStandIn,
  url: string,
  { next, perSecond, ms }: { next: (n: number) => Interaction; perSecond: number; ms: number },
): Promise<readonly Sample[]> {
  const sent: Promise<Sample>[] = []
  const start = performance.now()
  while (performance.now() - start < ms) {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond)
    while (sent.length <= due) sent.push(slack.send(url, next(sent.length)))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return Promise.all(sent)
}

/** One person who reads each page for a while and turns to the next. */
export async function turnPages(
  slack: SlackStandIn,
  url: string,
  { pages, readMs, team }: { pages: number; readMs: number; team: number },
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  await slack.send(url, { kind: 'command', team, page: 1 })
  for (let page = 2; page <= pages; page += 1) {
    await new Promise((resolve) => setTimeout(resolve, readMs))
    samples.push(await slack.send(url, { kind: 'click', team, page }))
  }
  return samples
}
