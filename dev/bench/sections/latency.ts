import { median, Pairs, quantile, type Section } from '../figures.ts'
import { sendSteadily, turnPages } from '../loads.ts'
import type { MeasuredProcess } from '../measured-process.ts'
import type { Sample } from '../slack-stub.ts'
import { type Bench, inRotation } from './bench.ts'
import { everydayMix, warmUp } from './slices.ts'

const messageTimes = (samples: readonly Sample[]) => samples.map(({ messageMs }) => messageMs)
const ackTimes = (samples: readonly Sample[], kind: Sample['kind']) =>
  samples.filter((sample) => sample.kind === kind).map(({ ackMs }) => ackMs)

/** Works both by turns, and hands over what each did in a round. */
async function byTurns<T>(
  rounds: number,
  processes: readonly [MeasuredProcess, MeasuredProcess],
  work: (measured: MeasuredProcess, round: number) => Promise<T>,
  add: (one: T, other: T) => void,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const done = new Map<MeasuredProcess, T>()
    for (const measured of inRotation(processes, round)) done.set(measured, await work(measured, round))
    const [one, other] = processes.map((measured) => done.get(measured))
    if (one !== undefined && other !== undefined) add(one, other)
  }
}

/** As the app is configured unless an operator says otherwise, at 100 interactions a second. */
export async function latency(bench: Bench): Promise<Section> {
  const { environment, fast, slow, rounds, sliceMs, workspaces } = bench
  // Few and long: one in a hundred of too few is nothing but the greatest.
  const [longRounds, ms] = [Math.ceil(rounds / 3), 9 * sliceMs]
  const lines = []
  for (const [service, serviceMs] of [
    [fast, 0],
    [slow, 50],
  ] as const) {
    const at = `service at ${serviceMs} ms`
    const app = await environment.startApp(service, { fetchAhead: true })
    const bare = await environment.startBare(service)
    await warmUp(bench, [app, bare])
    const messages = [50, 95, 99].map((share) => ({
      share,
      pairs: new Pairs(`message p${share}, ${at}`, 'ms'),
    }))
    const clicks = new Pairs(`click acknowledged p99, ${at}`, 'ms', { is: '<=', ratio: 0.7 })
    const commands = new Pairs(`command acknowledged p99, ${at}`, 'ms')
    const load = { mix: everydayMix(bench), perSecond: 100, ms }
    await byTurns(
      longRounds,
      [app, bare],
      ({ url }) => sendSteadily(environment.slack, url, load),
      (one, other) => {
        for (const { share, pairs } of messages)
          pairs.add(quantile(messageTimes(one), share / 100), quantile(messageTimes(other), share / 100))
        clicks.add(quantile(ackTimes(one, 'click'), 0.99), quantile(ackTimes(other, 'click'), 0.99))
        commands.add(quantile(ackTimes(one, 'command'), 0.99), quantile(ackTimes(other, 'command'), 0.99))
      },
    )
    lines.push(...messages.map(({ pairs }) => pairs), clicks, commands)
    if (service === slow) {
      const turns = new Pairs('page turn, service at 50 ms', 'ms')
      const share = new Pairs('page turn of the app / the 50 ms of the service', 'ms', {
        is: '<=',
        ratio: 0.1,
      })
      const pages = sliceMs < 500 ? 3 : 12
      await byTurns(
        Math.min(rounds, 6),
        [app, bare],
        async ({ url }, round) => {
          const reading = { pages, readMs: 150, team: round % workspaces }
          return median(messageTimes(await turnPages(environment.slack, url, reading)))
        },
        (one, other) => {
          turns.add(one, other)
          share.add(one, 50)
        },
      )
      lines.push(turns, share)
    }
    await app.stop()
    await bare.stop()
  }
  return {
    title: 'Latency at 100 a second',
    columns: ['app', 'bare Bolt'],
    lines: lines.map(({ comparison }) => comparison),
  }
}
