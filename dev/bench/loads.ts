import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from '../../src/util/units.ts'
import type { Interaction } from './interactions.ts'
import type { Sample, SlackStub } from './slack-stub.ts'

/** As many as it takes, so many under way at a time: what comes through is the most there is. */
export async function saturate(
  slack: SlackStub,
  url: string,
  {
    interaction,
    underWay,
    ms,
  }: { interaction: (n: number) => Interaction; underWay: number; ms: Milliseconds },
): Promise<{ readonly count: number; readonly seconds: number }> {
  const start = performance.now()
  let count = 0
  const work = async () => {
    while (performance.now() - start < ms) {
      count += 1
      await slack.measure(url, interaction(count))
    }
  }
  await Promise.all(Array.from({ length: underWay }, work))
  return { count, seconds: (performance.now() - start) / 1000 }
}

/** So many a second whether they are answered or not, as people do. */
export async function sendSteadily(
  slack: SlackStub,
  url: string,
  {
    interaction,
    perSecond,
    ms,
  }: { interaction: (n: number) => Interaction; perSecond: number; ms: Milliseconds },
): Promise<readonly Sample[]> {
  const samples: Promise<Sample>[] = []
  const start = performance.now()
  while (performance.now() - start < ms) {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond)
    while (samples.length <= due) samples.push(slack.measure(url, interaction(samples.length)))
    await sleep(1)
  }
  return Promise.all(samples)
}

/** One person who reads each page for a while and turns to the next. */
export async function turnPages(
  slack: SlackStub,
  url: string,
  { pages, readMs, team }: { pages: number; readMs: Milliseconds; team: number },
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  await slack.measure(url, { kind: 'command', team, page: 1 })
  for (let page = 2; page <= pages; page += 1) {
    await sleep(readMs)
    samples.push(await slack.measure(url, { kind: 'click', team, page }))
  }
  return samples
}
