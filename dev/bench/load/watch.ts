import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ScheduleRows } from '../../../src/features/subscriptions/schedule-rows.ts'
import { tenantKey } from '../../../src/store/tenant.ts'
import { utcDay } from '../../../src/time/days.ts'
import { mapConcurrent } from '../../../src/util/promises.ts'
import type { EpochMs, Milliseconds } from '../../../src/util/units.ts'
import { quantile } from '../figures.ts'
import type { SlackStub } from '../slack-stub.ts'
import { keyOf, mark, openStore, teamId, teamOf } from '../workspaces.ts'
import { Fleet } from './fleet.ts'
import { countingSettings, Usage } from './usage.ts'

/** A burst in one account, besides all that is missed here and there. */
const BURST = { everySeconds: 10, calls: 40 }
/** For what was missed last, and what a killed process had begun. */
const PATIENCE_MS: Milliseconds = 240_000

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
  /** When the service began to show it; none while it shows nothing. */
  shownAt: EpochMs | undefined
}

/** Every call that was missed, by its id. */
class MissedCalls {
  readonly all = new Map<string, Missed>()
  #isShowing = true

  /** @returns the ids of new ones */
  miss(team: number, count: number): readonly string[] {
    const at = Date.now()
    const shownAt = this.#isShowing ? at : undefined
    return Array.from({ length: count }, () => {
      const id = `${mark(team)}-c${this.all.size}`
      this.all.set(id, { team, at, shownAt })
      return id
    })
  }

  /** From now on the service shows what was missed, or it does not. */
  show(isShowing: boolean): void {
    this.#isShowing = isShowing
    if (isShowing) for (const call of this.all.values()) call.shownAt ??= Date.now()
  }
}

const isAlert = ({ channel }: { channel: string }) => channel.startsWith('C')
const countIn = (text: string) => Number(/^([\d,]+) missed calls/.exec(text)?.[1]?.replaceAll(',', '') ?? 1)

/** How many calls the messages of each workspace lack: below zero, so many are too much. */
function missingIn({ messages }: SlackStub, calls: MissedCalls): ReadonlyMap<number, number> {
  const missing = new Map<number, number>()
  const add = (team: number, count: number) => missing.set(team, (missing.get(team) ?? 0) + count)
  for (const { team } of calls.all.values()) add(team, 1)
  for (const { channel, versions } of [...messages.values()].filter(isAlert))
    add(teamOf(channel), -countIn(versions.at(-1)?.text ?? ''))
  return missing
}

/** When each call was first told, and in how many messages it stands. */
function toldIn({ messages }: SlackStub) {
  const told = new Map<string, { at: EpochMs; messages: number }>()
  for (const { versions } of [...messages.values()].filter(isAlert)) {
    const seen = new Map<string, EpochMs>()
    for (const { at, text, blocks } of versions)
      for (const id of (text + blocks).match(/W\d{6}W-c\d+/g) ?? []) seen.set(id, seen.get(id) ?? at)
    for (const [id, at] of seen) {
      const before = told.get(id)
      told.set(id, { at: Math.min(at, before?.at ?? at), messages: 1 + (before?.messages ?? 0) })
    }
  }
  return told
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)
const line = (name: string, value: number | string) => `${name.padEnd(26)}${value}`

function lagLine(name: string, all: readonly Milliseconds[]): string {
  const [half, most, worst] = [0.5, 0.99, 1].map((share) => `${(quantile(all, share) / 1000).toFixed(1)} s`)
  return line(name, `p50 ${half}, p99 ${most}, at most ${worst}`)
}

function report(slack: SlackStub, calls: MissedCalls): readonly string[] {
  const posted = [...slack.messages.values()]
  const alerts = posted.filter(isAlert).map(({ versions }) => countIn(versions.at(-1)?.text ?? ''))
  const notices = posted.filter((message) => !isAlert(message))
  const unsure = notices.filter(({ versions }) => versions.at(-1)?.text.includes("didn't confirm"))
  const unsureTeams = new Set(unsure.map(({ channel }) => teamOf(channel)))
  const missing = [...missingIn(slack, calls)]
  const lacking = (isUnsure: boolean) =>
    sum(missing.map(([team, count]) => (unsureTeams.has(team) === isUnsure ? Math.max(0, count) : 0)))
  const told = toldIn(slack)
  const inTwo = [...told.values()].filter(({ messages }) => messages > 1).length
  const twice = Math.max(inTwo, sum(missing.map(([, count]) => Math.max(0, -count))))
  const lags = [...told].flatMap(([id, { at }]) => {
    const call = calls.all.get(id)
    if (call?.shownAt === undefined) return []
    return [{ ms: Math.max(0, at - call.shownAt), isLater: call.shownAt !== call.at }]
  })
  const later = lags.filter(({ isLater }) => isLater)
  return [
    line('calls missed', calls.all.size),
    line('told once', calls.all.size - lacking(false) - lacking(true) - twice),
    line('lost', lacking(false)),
    line('told twice', twice),
    line('owners told to look', `${unsure.length}: of their calls ${lacking(true)} were in no message`),
    line('told of none that was', [...told.keys()].filter((id) => !calls.all.has(id)).length),
    line('messages', `${alerts.length}, of ${Math.max(0, ...alerts)} calls at most`),
    lagLine(
      'lag, shown to told',
      lags.map(({ ms }) => ms),
    ),
    ...(later.length === 0
      ? []
      : [
          lagLine(
            '  of those shown later',
            later.map(({ ms }) => ms),
          ),
        ]),
    line('other notices', notices.length - unsure.length),
  ]
}

/** Every workspace has a billing post that waits for its day. */
async function scheduleBillingPosts(storeUrl: string, workspaces: number): Promise<void> {
  const store = openStore(storeUrl)
  const rows = new ScheduleRows(store.rows, 'schedules')
  const inAMonth = Date.now() + 30 * 24 * 3600_000
  const due = { day: utcDay(new Date(inAMonth)), at: inAMonth }
  await mapConcurrent([...Array(workspaces).keys()], 20, (n) => {
    const tenant = { enterpriseId: undefined, teamId: teamId(n) }
    const schedule = { id: 'post', tenant, channel: 'C1', owner: 'U1', time: '09:00' }
    return rows.set(tenantKey(tenant), 'post', { ...schedule, rhythm: 'monthly first', due })
  })
  await store.close()
}

/** Until each account was asked for once. @returns after how many seconds */
async function firstPolls({ service }: Fleet, { watched, everySeconds }: WatchSizes): Promise<number> {
  const start = performance.now()
  while ((await service.count()).accounts < watched) {
    if (performance.now() - start > 4 * everySeconds * 1000) throw new Error('not every account is watched')
    await sleep(500)
  }
  return (performance.now() - start) / 1000
}

/** Lets calls be missed, one after the other, in accounts here and there, while things go wrong. */
async function missCalls(fleet: Fleet, sizes: WatchSizes, calls: MissedCalls, usage: Usage): Promise<void> {
  const { seconds, watched, missedPerSecond, isCalm } = sizes
  const miss = (team: number, count: number) =>
    fleet.service.send(JSON.stringify({ key: keyOf(team), ids: calls.miss(team, count) }))
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

/** What becomes of every missed call. @returns lines of text */
export async function watch(sizes: WatchSizes): Promise<readonly string[]> {
  const { workspaces, watched, everySeconds, isCalm } = sizes
  const options = {
    workspaces,
    watched,
    service: { ANSWERS: 'missed', ANSWER_MS: '20' },
    // Slack takes about as long to take a message.
    postMs: 150,
    databaseSettings: countingSettings,
    env: { ALERT_EVERY_SECONDS: String(everySeconds) },
    prepare: (url: string) => scheduleBillingPosts(url, workspaces),
  }
  return Fleet.with(options, async (fleet) => {
    const calls = new MissedCalls()
    const usage = await Usage.open(fleet)
    const polledAfter = await firstPolls(fleet, sizes)
    await missCalls(fleet, sizes, calls, usage)
    const until = performance.now() + PATIENCE_MS
    const isAllTold = () => [...missingIn(fleet.slack, calls).values()].every((count) => count <= 0)
    while (!isAllTold() && performance.now() < until) await sleep(500)
    // What is told twice comes later.
    if (!isCalm) await sleep(Math.min(everySeconds, 60) * 2 * 1000)
    const rows = await usage.close()
    return [
      `Node ${process.version}, ${availableParallelism()} cores, ${workspaces} workspaces, two processes, ${watched} accounts watched every ${everySeconds} s, calls missed in ${sizes.missedPerSecond} accounts a second for ${sizes.seconds} s${isCalm ? ', nothing goes wrong' : ''}`,
      '',
      line('first polls at all', `after ${polledAfter.toFixed(0)} s`),
      ...usage.lines,
      ...report(fleet.slack, calls),
      line('resident memory', `${await fleet.memory()} at the end`),
      line('rows', rows),
    ]
  })
}
