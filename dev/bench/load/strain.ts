import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { quantile } from '../figures.ts'
import { type MeasuredProcess, startProcess } from '../measured-process.ts'
import { SlackStub } from '../slack-stub.ts'
import { appEnv, connectWorkspaces } from '../workspaces.ts'

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const WORKSPACES = 50
/** The first workspaces have a slow account, a burst of missed calls and 40,000 agents (account-service.ts). */
const STRAINED = 3
const CLICKS_PER_SECOND = 50

/** Clicks in all other workspaces at a constant rate. @returns the time to each message, in ms */
async function clickSteadily(
  slack: SlackStub,
  app: MeasuredProcess,
  seconds: number,
): Promise<readonly number[]> {
  const clicks: Promise<number>[] = []
  const start = performance.now()
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - start) {
    while (clicks.length < (elapsed / 1000) * CLICKS_PER_SECOND) {
      const team = STRAINED + (clicks.length % (WORKSPACES - STRAINED))
      const click = { kind: 'click', team, page: 1 + (clicks.length % 100) } as const
      clicks.push(slack.measure(app.url, click).then(({ messageMs }) => messageMs))
    }
    await sleep(5)
  }
  return Promise.all(clicks)
}

/** Requests lists of the workspace with 40,000 agents. @returns the number of lists */
async function requestAgents(slack: SlackStub, app: MeasuredProcess, isOver: () => boolean): Promise<number> {
  let answered = 0
  while (!isOver()) {
    for (const asked of [{ command: '/agents' }, { text: 'agent:agent' }, { text: 'agent:agnet' }] as const) {
      await slack.send(app.url, { kind: 'command', team: 2, page: 1, ...asked }).catch(() => {})
      answered += 1
    }
    await sleep(500)
  }
  return answered
}

const line = (name: string, value: number | string) => `${name.padEnd(52)} ${value}`

/**
 * Measures the effect of a slow account, of 20,000 calls missed at once and of 40,000 agents on other workspaces, in one
 * process over SQLite.
 * @returns lines of text
 */
export async function strain({ seconds }: { readonly seconds: number }): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-strain-'))
  const slack = await new SlackStub().start()
  const service = await startProcess(program('../account-service.ts'), {})
  const url = `sqlite:${join(folder, 'store.sqlite')}`
  await connectWorkspaces(url, { count: WORKSPACES, watched: STRAINED })
  const app = await startProcess(program('../../../src/main.ts'), {
    ...appEnv(slack, service.url, url),
    FETCH_AHEAD: 'off',
    ALERT_EVERY_SECONDS: '30',
  })
  try {
    await clickSteadily(slack, app, 10)
    await app.usage()
    const calm = await clickSteadily(slack, app, seconds / 2)
    const { blockMs: calmBlock } = await app.usage()
    service.send('strain')
    let isOver = false
    const agents = requestAgents(slack, app, () => isOver)
    const strained = await clickSteadily(slack, app, seconds)
    isOver = true
    const { blockMs } = await app.usage()
    const [before, during] = [quantile(calm, 0.99), quantile(strained, 0.99)]
    return [
      `${CLICKS_PER_SECOND} clicks a second of ${WORKSPACES - STRAINED} workspaces for ${seconds} s, beside a slow account, a burst and 40,000 agents`,
      '',
      line('clicks p99, calm', `${before.toFixed(1)} ms`),
      line('clicks p99, strained', `${during.toFixed(1)} ms`),
      line('ratio', (during / before).toFixed(2)),
      line('longest block of the event loop, calm', `${calmBlock.toFixed(1)} ms`),
      line('longest block of the event loop, strained', `${blockMs.toFixed(1)} ms`),
      line('lists that needed all agents', await agents),
      line('messages of missed calls', slack.messages.size),
    ]
  } finally {
    await app.stop()
    await service.stop()
    await slack.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
