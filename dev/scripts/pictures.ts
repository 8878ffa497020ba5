import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { hourMs, minuteMs } from '../../src/util/units.ts'
import { type Demo, startDemo } from '../demo/demo.ts'
import { teamZone } from '../demo/demo-clock.ts'
import { Camera } from './camera.ts'

/** Hides everything around Slack, because the README explains the demo. */
const withoutDemo = `
  .side, .place button { display: none !important }
  .layout { grid-template-columns: 200px minmax(0, 1fr) !important; min-width: 0 !important }`

/** A Wednesday, so that pictures don't depend on the day they are taken on. */
const day = '2026-12-02T06:00:00Z'

/** How a picture is taken. */
interface Shot {
  /** Output folder. */
  readonly folder: string
  readonly colorScheme: 'light' | 'dark'
  /** Device pixels per CSS pixel. */
  readonly scale: number
}

interface Scene {
  /** A picture shows only what is visible without scrolling. */
  readonly viewport: { readonly width: number; readonly height: number }
  /** Prepares a demo. @returns the message to take a picture of */
  readonly play: (page: Page, demo: Demo) => Promise<Locator>
}

const getMessageBox = (page: Page): Locator => page.getByRole('combobox', { name: /^Message #/ })

/** Starts a demo and opens its page to take pictures; stops both. */
async function withDemoPage<T>(
  browser: Browser,
  { viewport, colorScheme, scale }: Pick<Scene, 'viewport'> & Shot,
  use: (page: Page, demo: Demo) => Promise<T>,
): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'callboard-screenshot-'))
  const aheadMs = Date.parse(day) - Date.now()
  const demo = await startDemo({ folder: data, port: 0, machineNow: () => Date.now() + aheadMs })
  try {
    const page = await browser.newPage({ viewport, deviceScaleFactor: scale, colorScheme, locale: 'en-GB' })
    page.setDefaultTimeout(8000)
    await page.goto(demo.url)
    await page.addStyleTag({ content: withoutDemo })
    await getMessageBox(page).waitFor()
    const result = await use(page, demo)
    await page.close()
    return result
  } finally {
    await demo.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function say(page: Page, command: string): Promise<void> {
  await getMessageBox(page).fill(command)
  await getMessageBox(page).press('Enter')
}

/** Types a command that opens a modal, clicks through the modal, and closes its confirmation. */
async function throughModal(page: Page, command: string, buttons: readonly string[]): Promise<void> {
  const dialog = page.getByRole('dialog')
  await say(page, command)
  await dialog.waitFor()
  for (const name of buttons) await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.getByText('Saved.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
}

const messageWith = (page: Page, name: RegExp): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name }) })

/** Lines of the missed calls, and the pause before each call. */
const missed = [
  { line: 2, afterMs: minuteMs },
  { line: 1, afterMs: 2 * minuteMs },
  { line: 2, afterMs: minuteMs },
  { line: 0, afterMs: 3 * minuteMs },
]

/** Waits for each alert, because a poll that finds all calls at once would report some as late. */
async function missCalls(
  page: Page,
  { sandbox, clock }: Demo,
  afterEach: () => Promise<void> = async () => {},
): Promise<void> {
  const { lively } = sandbox.accounts
  for (const [index, { line, afterMs }] of missed.entries()) {
    clock.moveBy(afterMs)
    lively.missCalls(1, { line: lively.billing.addOn.numbers[line]?.number })
    const title = index === 0 ? /^Missed call / : new RegExp(`^${index + 1} missed calls `)
    const newest = page.getByRole('article').last()
    await newest.getByRole('heading', { name: title }).waitFor({ timeout: 20_000 })
    await afterEach()
  }
}

const scenes = {
  report: {
    viewport: { width: 900, height: 1400 },
    async play(page) {
      // Whole days make the bars independent of the time of day; one direction fits the height.
      await say(page, '/calls report last week incoming')
      const report = messageWith(page, /: [\d,]+ calls, /)
      await report.getByRole('img', { name: /^Incoming calls per line/ }).waitFor()
      return report
    },
  },
  /** Returns Slackbot's answer from a tool. */
  slackbot: {
    viewport: { width: 900, height: 1400 },
    async play(page) {
      await page.getByRole('button', { name: 'Slackbot', exact: true }).click()
      const question = page.getByRole('textbox', { name: 'Message Slackbot' })
      await question.fill('Which calls did we miss yesterday?')
      await question.press('Enter')
      const answer = page.getByRole('article', { name: "Slackbot's answer" })
      await answer.getByRole('heading', { name: /missed calls? / }).waitFor()
      await answer.getByRole('row').nth(1).waitFor()
      return answer
    },
  },
  /** Returns a missed-call alert that was taken. */
  alert: {
    viewport: { width: 900, height: 1000 },
    async play(page, demo) {
      await missCalls(page, demo)
      const alert = messageWith(page, /^\d missed calls /).last()
      await alert.getByRole('button', { name: 'Take all' }).click()
      await alert.getByText('Taken by').waitFor()
      return alert
    },
  },
  /** Returns the scheduled report of the day before, as posted in the morning. */
  digest: {
    // The width of the table.
    viewport: { width: 1040, height: 1400 },
    async play(page, demo) {
      await throughModal(page, '/calls schedule', ['Save'])
      // From 9:30 to the late evening: the day's calls are posted before they are reported.
      demo.clock.moveBy(14 * hourMs + 25 * minuteMs)
      await messageWith(page, /^\d+ missed calls since/)
        .nth(1)
        .waitFor({ timeout: 20_000 })
      await demo.clock.moveToMorning(teamZone)
      const report = messageWith(page, /: [\d,]+ calls, /)
      await report.waitFor({ timeout: 20_000 })
      return report
    },
  },
} satisfies Record<string, Scene>

/** Clicks and types in a page that is filmed. */
class Actor {
  readonly #page: Page
  readonly camera: Camera
  readonly messages: Locator

  constructor(page: Page, camera: Camera) {
    this.#page = page
    this.camera = camera
    this.messages = page.getByRole('log').getByRole('article')
  }

  inNewest(name: string | RegExp): Locator {
    return this.messages.last().getByRole('button', { name, exact: true })
  }

  type(command: string): Promise<void> {
    return this.camera.type(getMessageBox(this.#page), command)
  }

  /** Waits for the message that an action causes. */
  async untilAnswered(act: () => Promise<void>): Promise<void> {
    const count = await this.messages.count()
    await act()
    await this.messages.nth(count).waitFor()
  }
}

const inDialog = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('dialog').getByRole('button', { name })

/** One line of a burst is taken, then the others, and all calls are done. @returns the picture of the split burst */
async function playBurst({ camera, messages }: Actor): Promise<Buffer> {
  const burst = messages.filter({ hasText: '4 missed calls since' })
  const button = (name: string | RegExp) => burst.getByRole('button', { name, exact: true })
  // A line's button, which names its calls.
  await camera.click(button(/^Take (?!all)/).first())
  await burst.getByText(/Ada Marsh has/).waitFor()
  await camera.show(1100)
  const still = await camera.still()
  await camera.click(button('Take all'))
  await button('Take all').waitFor({ state: 'detached' })
  await camera.show(500)
  await camera.click(button('Done'))
  await burst.filter({ hasText: /done by/i }).waitFor()
  await camera.show(700)
  return still
}

async function playReport(actor: Actor): Promise<void> {
  await actor.untilAnswered(() => actor.type('/calls report last week'))
  const chart = actor.messages.last().getByRole('img', { name: /^Incoming calls per line/ })
  await chart.waitFor()
  await actor.camera.show(900)
  await chart.scrollIntoViewIfNeeded()
  await actor.camera.show(1300)
}

/** Yesterday's missed calls are shared with the channel. */
async function playShare(actor: Actor, page: Page): Promise<void> {
  const { camera } = actor
  await actor.untilAnswered(() => actor.type('/calls missed yesterday'))
  await actor.inNewest('Share…').waitFor()
  await camera.show(700)
  await camera.click(actor.inNewest('Share…'))
  await camera.show(400)
  await actor.untilAnswered(() => camera.click(inDialog(page, /^Share/)))
  await actor.inNewest('Remove').waitFor()
  await camera.show(600)
}

async function playBill(actor: Actor, page: Page): Promise<void> {
  const { camera } = actor
  await camera.click(page.getByRole('navigation').getByRole('button', { name: 'finance' }))
  await page.getByRole('heading', { name: '#finance' }).waitFor()
  await actor.type('/billing post')
  const dialog = page.getByRole('dialog')
  const post = inDialog(page, /^Post$/)
  await post.waitFor()
  await dialog.getByText(/^Billing: /).waitFor()
  await camera.show(1000)
  await actor.untilAnswered(() => camera.click(post))
  await dialog.getByText('Posted in').waitFor()
  await camera.show(400)
  await camera.click(inDialog(page, 'Close').last())
  await dialog.waitFor({ state: 'detached' })
  await camera.show(1500)
}

/**
 * Plays the README's film: calls are missed, one line is taken, then the rest; last week's report; yesterday's calls are
 * shared, and the bill is posted. The durations of its screens add up to about 17 s, with typing and clicking.
 * @returns the picture for people who turn motion off
 */
async function playFilm(page: Page, demo: Demo, camera: Camera): Promise<Buffer> {
  const actor = new Actor(page, camera)
  // The demo proposes a command; the film shows it being typed.
  await getMessageBox(page).fill('')
  await missCalls(page, demo, () => camera.show(500))
  const still = await playBurst(actor)
  await playReport(actor)
  await playShare(actor, page)
  await playBill(actor, page)
  return still
}

/** Films a new demo, and writes `callboard-SCHEME.webp` and, for people who turn motion off, `callboard-SCHEME.png`. */
function makeFilm(browser: Browser, shot: Shot): Promise<Taken> {
  return withDemoPage(browser, { viewport: { width: 900, height: 620 }, ...shot }, async (page, demo) => {
    const camera = new Camera(page, shot.scale)
    const still = await playFilm(page, demo, camera)
    const moving = await camera.toWebp()
    const path = join(shot.folder, `callboard-${shot.colorScheme}`)
    writeFileSync(`${path}.png`, still)
    writeFileSync(`${path}.webp`, moving)
    return { bytes: moving.length, durationMs: camera.durationMs }
  })
}

export const pictures = ['callboard', 'report', 'alert', 'digest', 'slackbot'] as const

interface Taken {
  readonly bytes: number
  /** Duration of a film. */
  readonly durationMs?: number
}

/** Takes a picture of a new demo, and writes `NAME-SCHEME.png`; `callboard` is a film. */
export async function takePicture(
  browser: Browser,
  name: (typeof pictures)[number],
  shot: Shot,
): Promise<Taken> {
  if (name === 'callboard') return makeFilm(browser, shot)
  const { viewport, play }: Scene = scenes[name]
  return withDemoPage(browser, { viewport, ...shot }, async (page, demo) => {
    const message = await play(page, demo)
    await page.mouse.move(0, 0)
    const screenshot = await message.screenshot({ animations: 'disabled' })
    const picture = await sharp(screenshot).png({ palette: true, effort: 10 }).toBuffer()
    writeFileSync(join(shot.folder, `${name}-${shot.colorScheme}.png`), picture)
    return { bytes: picture.length }
  })
}
