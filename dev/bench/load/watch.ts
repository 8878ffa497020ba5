import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ScheduleRows } from '../../../src/features/subscriptions/schedule.ts'
import { tenantKey } from '../../../src/store/tenant.ts'
import { utcDay } from '../../../src/time/days.ts'
import { mapConcurrent, timedOut, withTimeout } from '../../../src/util/promises.ts'
import { dayMs, type EpochMs, type Milliseconds } from '../../../src/util/units.ts'
import { quantile } from '../figures.ts'
import type { SlackStub } from '../slack-stub.ts'
import { accountKey, mark, openStore, parseTeam, teamId } from '../workspaces.ts'
import { Fleet } from './fleet.ts'

/** A burst in one account, besides the other missed calls. */
const BURST = { everySeconds: 10, calls: 40 }
/** For work that a killed process had begun. */
const MAX_WAIT_MS: Milliseconds = 240_000

interface WatchSizes {
  readonly workspaces: number
  readonly watched: number
  readonly everySeconds: number
  readonly seconds: number
  readonly missedPerSecond: number
  readonly isCalm: boolean
}

interface Missed {
  readonly team: number
  readonly at: EpochMs
  /** Undefined while the service fails. */
  shownAt: EpochMs | undefined
}

/** All missed calls, by id. */
class MissedCalls {
  readonly all = new Map<string, Missed>()
  #isShowing = true

  /** @returns the ids of the new calls */
  miss(team: number, count: number): readonly string[] {
    const at = Date.now()
    const shownAt = this.#isShowing ? at : undefined
    return Array.from({ length: count }, () => {
      const id = `${mark(team)}-c${this.all.size}`
      this.all.set(id, { team, at, shownAt })
      return id
    })
  }

  /** Sets whether the service shows missed calls. */
  show(isShowing: boolean): void {
    this.#isShowing = isShowing
    if (isShowing) for (const call of this.all.values()) call.shownAt ??= Date.now()
  }
}

const isAlert = ({ channel }: { channel: string }) => channel.startsWith('C')
const readCount = (text: string) => Number(/^([\d,]+) missed calls/.exec(text)?.[1]?.replaceAll(',', '') ?? 1)

/** Counts the calls that a workspace's messages lack; negative if they show too many. */
function countMissing({ messages }: SlackStub, calls: MissedCalls): readonly number[] {
  const missing = new Map<number, number>()
  const add = (team: number, count: number) => missing.set(team, (missing.get(team) ?? 0) + count)
  for (const { team } of calls.all.values()) add(team, 1)
  for (const { channel, versions } of [...messages.values()].filter(isAlert))
    add(parseTeam(channel), -readCount(versions.at(-1)?.text ?? ''))
  return [...missing.values()]
}

/** Finds when each call was first posted, and in how many messages it is. A message names its newest calls only. */
function findPosted({ messages }: SlackStub) {
  const posted = new Map<string, { at: EpochMs; messages: number }>()
  for (const { versions } of [...messages.values()].filter(isAlert)) {
    const seen = new Map<string, EpochMs>()
    for (const { at, text, blocks } of versions)
      for (const id of (text + blocks).match(/W\d{6}W-c\d+/g) ?? []) seen.set(id, seen.get(id) ?? at)
    for (const [id, at] of seen) {
      const before = posted.get(id)
      posted.set(id, { at: Math.min(at, before?.at ?? at), messages: 1 + (before?.messages ?? 0) })
    }
  }
  return posted
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)
const line = (name: string, value: number | string) => `${name.padEnd(26)}${value}`

function delayLine(name: string, all: readonly Milliseconds[]): string {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => `${(quantile(all, share) / 1000).toFixed(1)} s`)
  return line(name, `p50 ${p50}, p99 ${p99}, max ${max}`)
}

function report(slack: SlackStub, calls: MissedCalls): readonly string[] {
  const messages = [...slack.messages.values()]
  const counts = messages.filter(isAlert).map(({ versions }) => readCount(versions.at(-1)?.text ?? ''))
  const missing = countMissing(slack, calls)
  const posted = findPosted(slack)
  const lost = sum(missing.map((count) => Math.max(0, count)))
  const inTwo = [...posted.values()].filter(({ messages: found }) => found > 1).length
  const twice = Math.max(inTwo, sum(missing.map((count) => Math.max(0, -count))))
  const delays = [...posted].flatMap(([id, { at }]) => {
    const shownAt = calls.all.get(id)?.shownAt
    return shownAt === undefined ? [] : [Math.max(0, at - shownAt)]
  })
  return [
    line('calls missed', calls.all.size),
    line('posted once', calls.all.size - lost - twice),
    line('lost', lost),
    line('posted twice', twice),
    line('posted but never missed', [...posted.keys()].filter((id) => !calls.all.has(id)).length),
    line('messages', `${counts.length}, of up to ${Math.max(0, ...counts)} calls`),
    delayLine('delay, shown to posted', delays),
    line('notices', messages.length - counts.length),
  ]
}

/** Adds a scheduled billing post to every workspace, due in a month. */
async function scheduleBillingPosts(storeUrl: string, workspaces: number): Promise<void> {
  const store = openStore(storeUrl)
  const rows = new ScheduleRows(store.database, 'schedules')
  const inAMonth = Date.now() + 30 * dayMs
  const due = { day: utcDay(new Date(inAMonth)), at: inAMonth }
  await mapConcurrent([...Array(workspaces).keys()], 20, (n) => {
    const workspace = { enterpriseId: undefined, teamId: teamId(n) }
    const schedule = { id: 'post', workspace, channel: 'C1', owner: 'U1', time: '09:00' }
    return rows.set(tenantKey(workspace), 'post', { ...schedule, rhythm: 'monthly first', due })
  })
  await store.close()
}

/** Waits until each account was polled once. @returns the seconds that took */
async function awaitFirstPolls({ service }: Fleet, { watched, everySeconds }: WatchSizes): Promise<number> {
  const start = performance.now()
  while ((await service.count()).accounts < watched) {
    if (performance.now() - start > 4 * everySeconds * 1000) throw new Error('not every account was polled')
    await sleep(500)
  }
  return (performance.now() - start) / 1000
}

/** Makes calls missed in changing accounts during the faults. */
async function missCalls(fleet: Fleet, sizes: WatchSizes, calls: MissedCalls, usage: Usage): Promise<void> {
  const { seconds, watched, missedPerSecond, isCalm } = sizes
  const miss = (team: number, count: number) =>
    fleet.service.send(JSON.stringify({ key: accountKey(team), ids: calls.miss(team, count) }))
  let [name, sent, bursts] = ['well', 0, 0]
  await usage.begin()
  await fleet.throughFaults(seconds, {
    isCalm,
    onFault: async (fault, mode) => {
      await usage.end(name)
      await usage.begin()
      name = fault
      if (mode) calls.show(mode === 'well' || mode === 'slow')
    },
    work: (elapsed) => {
      for (; sent < elapsed * missedPerSecond; sent += 1) miss((sent * 7919) % watched, 1 + (sent % 3))
      for (; bursts < elapsed / BURST.everySeconds; bursts += 1)
        miss((bursts * 104_729) % watched, BURST.calls)
    },
  })
  await usage.end(name)
}

/** Checks that every missed call is posted once. @returns lines of text */
export async function watch(sizes: WatchSizes): Promise<readonly string[]> {
  const { workspaces, watched, everySeconds, isCalm } = sizes
  const options = {
    workspaces,
    watched,
    service: { ANSWERS: 'missed', ANSWER_MS: '20' },
    // Slack takes about this long to post a message.
    postMs: 150,
    env: { ALERT_EVERY_SECONDS: String(everySeconds) },
    prepare: (url: string) => scheduleBillingPosts(url, workspaces),
  }
  return Fleet.with(options, async (fleet) => {
    const calls = new MissedCalls()
    const usage = new Usage(fleet)
    const polledAfter = await awaitFirstPolls(fleet, sizes)
    await missCalls(fleet, sizes, calls, usage)
    // The last missed calls may wait for a whole polling interval.
    const until = performance.now() + MAX_WAIT_MS + everySeconds * 1000
    const isAllPosted = () => countMissing(fleet.slack, calls).every((count) => count <= 0)
    while (!isAllPosted() && performance.now() < until) await sleep(500)
    // Calls that are posted twice come later.
    if (!isCalm) await sleep(Math.min(everySeconds, 60) * 2 * 1000)
    return [
      `Node ${process.version}, ${availableParallelism()} cores, ${workspaces} workspaces, two processes, ${watched} accounts watched every ${everySeconds} s, calls missed in ${sizes.missedPerSecond} accounts a second for ${sizes.seconds} s${isCalm ? ', without faults' : ''}`,
      '',
      line('first polls', `after ${polledAfter.toFixed(0)} s`),
      ...usage.lines,
      ...report(fleet.slack, calls),
      line('resident memory', `${await fleet.memory()} at the end`),
    ]
  })
}

/** A killed process never answers. */
const ANSWER_TIMEOUT_MS = 3000

/** Measures the apps and the requests to the service between faults. */
class Usage {
  readonly #fleet: Fleet
  #before: Awaited<ReturnType<Usage['read']>> | undefined
  /** One line for each finished period. */
  readonly lines: string[] = []

  constructor(fleet: Fleet) {
    this.#fleet = fleet
  }

  async begin(): Promise<void> {
    this.#before = await this.read()
  }

  async end(name: string): Promise<void> {
    const [before, now] = [this.#before, await this.read()]
    if (!before) return
    const seconds = (now.at - before.at) / 1000
    const apps = [...now.apps].flatMap(([url, { cpuMs, rssMb }]) => {
      const earlier = before.apps.get(url)
      if (!earlier) return []
      const core = ((cpuMs - earlier.cpuMs) / seconds / 10).toFixed(0)
      return [`${core} % of a core, ${rssMb.toFixed(0)} MB`]
    })
    const requests = ((now.requests - before.requests) / seconds).toFixed(1)
    const used = [`${requests} requests a second to the service`, ...apps]
    this.lines.push(`${name.padEnd(26)}${used.join('; ')}`)
  }

  async read() {
    const { service, up } = this.#fleet
    const usages = await Promise.all(
      up.map(async (app) => {
        const usage = await withTimeout(app.usage(), ANSWER_TIMEOUT_MS).catch((): typeof timedOut => timedOut)
        return usage === timedOut ? [] : [[app.url, usage] as const]
      }),
    )
    const { requests } = await service.count()
    return { at: performance.now(), requests, apps: new Map(usages.flat()) }
  }
}
