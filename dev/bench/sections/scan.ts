import { setTimeout as sleep } from 'node:timers/promises'
import { Pairs, quantile, type Section } from '../figures.ts'
import type { MeasuredProcess } from '../measured-process.ts'
import type { Bench } from './bench.ts'

const serviceMs = 50
/** Of the four slots of a workspace, one is left for people. */
const underWay = 3
/** What may be held more at the end of a scan than at its start, however long it was. */
const mostGainedMb = 20
const readers = 2
const readMs = 150

/** People of one workspace. Each reads pages of their own, none of them twice within the minute for which it is kept. */
function startReaders({ environment, records }: Bench, app: MeasuredProcess) {
  // Somewhat less than half of the calls are of the direction that has fewer.
  const pagesEach = Math.max(1, Math.floor((0.4 * records) / 20 / readers))
  const turned = Array.from({ length: readers }, () => 0)
  /** @returns what each turn took until it was over */
  return async (isOver: () => boolean): Promise<readonly number[]> => {
    const times: number[] = []
    const read = async (reader: number) => {
      while (!isOver()) {
        const turn = turned[reader] ?? 0
        turned[reader] = turn + 1
        const page = 1 + reader * pagesEach + (turn % pagesEach)
        const { messageMs } = await environment.slack.measure(app.url, { kind: 'click', team: 0, page })
        times.push(messageMs)
        await sleep(readMs)
      }
    }
    await Promise.all(turned.map((_, reader) => read(reader)))
    return times
  }
}

/** Reading a whole range: how near it comes to what its requests take, what it holds, and what people notice. */
export async function scan(bench: Bench): Promise<Section> {
  const { environment, records, rounds, warmUpMs } = bench
  // As many page turns in each as it takes for one in twenty to be more than the slowest.
  const slices = Math.min(rounds, 3)
  const service = await environment.startService(serviceMs, Math.ceil(records * 1.02) + 100)
  const time = new Pairs(`${records} records, service at ${serviceMs} ms / the requests alone`, 's', {
    is: '<=',
    ratio: 1.1,
  })
  const heap = new Pairs('heap, end / start', 'MB')
  const memory = new Pairs('resident memory, end / start', 'MB')
  const gained = new Pairs(`resident memory gained / ${mostGainedMb} MB`, 'MB', { is: '<=', ratio: 1 })
  const lines = [time, heap, memory, gained]
  for (const fetchAhead of [false, true]) {
    const app = await environment.startScanningApp(service, { fetchAhead })
    const turnPages = startReaders(bench, app)
    const warmUntil = performance.now() + warmUpMs
    await turnPages(() => performance.now() > warmUntil)
    await app.scan(Math.ceil(records / 20))
    if (!fetchAhead) {
      const before = await app.usage('collect')
      const { ms, pages } = await app.scan(records)
      const after = await app.usage('collect')
      time.add(ms / 1000, (pages * serviceMs) / underWay / 1000)
      heap.add(after.heapMb, before.heapMb)
      memory.add(after.rssMb, before.rssMb)
      gained.add(after.rssMb - before.rssMb, mostGainedMb)
    }
    const turns = new Pairs(
      `page turn p95 meanwhile / otherwise, ${fetchAhead ? '' : 'nothing '}fetched ahead`,
      'ms',
      { is: '<=', ratio: 1.5 },
    )
    for (let slice = 0; slice < slices; slice += 1) {
      let isOver = false
      const scanning = app.scan(Math.ceil(records / 4 / slices)).finally(() => {
        isOver = true
      })
      const meanwhile = await turnPages(() => isOver)
      const until = performance.now() + (await scanning).ms
      const otherwise = await turnPages(() => performance.now() > until)
      turns.add(quantile(meanwhile, 0.95), quantile(otherwise, 0.95))
    }
    lines.push(turns)
    await app.stop()
  }
  await service.stop()
  const comparisons = lines.map(({ comparison }) => comparison)
  return { title: 'Reading a whole range', columns: ['measured', 'against'], lines: comparisons }
}
