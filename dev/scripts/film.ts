import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { type Shot, withDemoPage } from './pictures.ts'

/** A place on the page, in its own pixels. */
interface Pointer {
  readonly x: number
  readonly y: number
  readonly isDown: boolean
}

interface Frame {
  readonly png: Buffer
  readonly durationMs: number
}

const arrowSize = 40
/** Its tip is in the middle, as is the ring around a press. */
const arrow = ({ isDown }: Pointer, scale: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 40 40" width="${arrowSize * scale}" height="${arrowSize * scale}">
      <circle r="18" fill="#1a66c7" fill-opacity="${isDown ? 0.35 : 0}"/>
      <path d="M0 0V17L4 13.2 6.7 19.3 9.4 18.1 6.8 12.2H12Z" fill="#111" stroke="#fff" stroke-width="1.4"/>
    </svg>`,
  )

/** Screenshots one after the other, with a pointer, which they leave out. */
class Film {
  readonly #frames: Frame[] = []
  readonly #scale: number

  /** @param scale pixels of a screenshot for each of the page's */
  constructor(scale: number) {
    this.#scale = scale
  }

  get durationMs(): number {
    return this.#frames.reduce((sum, { durationMs }) => sum + durationMs, 0)
  }

  async add(screenshot: Buffer, pointer: Pointer, durationMs: number): Promise<void> {
    const scale = this.#scale
    const edge = (at: number) => Math.round((at - arrowSize / 2) * scale)
    const png = await sharp(screenshot)
      .removeAlpha()
      .composite([{ input: arrow(pointer, scale), left: edge(pointer.x), top: edge(pointer.y) }])
      .png({ compressionLevel: 1 })
      .toBuffer()
    this.#frames.push({ png, durationMs })
  }

  /** Plays again and again. Nothing is lost, and what stays as it was takes no space. */
  async toWebp(): Promise<Buffer> {
    return sharp(
      this.#frames.map(({ png }) => png),
      { join: { animated: true } },
    )
      .webp({ lossless: true, effort: 6, loop: 0, delay: this.#frames.map(({ durationMs }) => durationMs) })
      .toBuffer()
  }
}

const frameMs = 50
/** As a hand moves: it starts and ends slowly. */
const ease = (part: number) => part * part * (3 - 2 * part)

/** Uses a page as a person does, and films it: what it takes to load, to move and to think is left out. */
class Camera {
  readonly #page: Page
  readonly #film: Film
  #pointer = { x: 0, y: 0, isDown: false }

  constructor(page: Page, film: Film) {
    this.#page = page
    this.#film = film
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    this.#pointer = { x: width * 0.62, y: height * 0.7, isDown: false }
  }

  /** Shows the page as it is now, for a time. */
  async show(durationMs: number): Promise<void> {
    await this.#film.add(await this.still(), this.#pointer, durationMs)
  }

  /** PNG, without the pointer. */
  async still(): Promise<Buffer> {
    return this.#page.screenshot({ animations: 'disabled' })
  }

  /** Two characters a frame, and Enter. */
  async type(box: Locator, text: string): Promise<void> {
    for (const part of text.match(/..?/gs) ?? []) {
      await box.pressSequentially(part)
      await this.show(frameMs)
    }
    await this.show(250)
    await box.press('Enter')
  }

  /** Moves the pointer there and presses. */
  async click(target: Locator): Promise<void> {
    await this.moveTo(target)
    await this.show(60)
    this.#pointer = { ...this.#pointer, isDown: true }
    await this.show(120)
    await target.click()
    this.#pointer = { ...this.#pointer, isDown: false }
  }

  async moveTo(target: Locator): Promise<void> {
    const box = await target.boundingBox()
    if (!box) throw new Error(`nothing to point at: ${target}`)
    const from = this.#pointer
    const to = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const screen = await this.still()
    const steps = 5
    for (let step = 1; step <= steps; step += 1) {
      const part = ease(step / steps)
      this.#pointer = {
        x: from.x + (to.x - from.x) * part,
        y: from.y + (to.y - from.y) * part,
        isDown: false,
      }
      await this.#film.add(screen, this.#pointer, frameMs)
    }
    await target.hover()
  }
}

/** @param day `YYYY-MM-DD` */
const daysBefore = (count: number, day: string) =>
  new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10)

/**
 * What the README shows: somebody looks up what was missed, asks for one agent's calls, shares them, and posts the
 * bill.
 * The times that a screen is shown for add up to about 12 s with those of typing and clicking.
 * @returns the picture for those who turn motion off
 */
async function playScenes(page: Page, camera: Camera): Promise<Buffer> {
  const messageBox = page.getByRole('combobox', { name: /^Message #/ })
  const messages = page.getByRole('log').getByRole('article')
  const inNewest = (name: string | RegExp) => messages.last().getByRole('button', { name })
  const dialog = page.getByRole('dialog')
  const inDialog = (name: RegExp) => dialog.getByRole('button', { name })
  /** Does something that a message is the answer to. */
  const untilAnswered = async (act: () => Promise<void>) => {
    const count = await messages.count()
    await act()
    await messages.nth(count).waitFor()
  }

  // The demo proposes a command; the film shows it being typed.
  await messageBox.fill('')
  await camera.show(500)
  await untilAnswered(() => camera.type(messageBox, '/calls missed yesterday'))
  await inNewest('Filter…').waitFor()
  await camera.show(900)

  await camera.click(inNewest('Filter…'))
  const start = dialog.getByLabel(/^Start date/)
  await start.waitFor()
  await camera.show(300)
  await camera.click(start)
  await start.fill(daysBefore(2, await start.inputValue()))
  await camera.show(200)
  await camera.click(dialog.getByRole('combobox', { name: /^Agent/ }))
  const anna = dialog.getByRole('option', { name: 'Anna Smith' })
  await anna.waitFor()
  await camera.show(150)
  await camera.click(anna)
  await camera.show(250)
  const asBefore = messages.last().filter({ hasText: (await messages.last().textContent()) ?? '' })
  await camera.click(inDialog(/^Show/))
  await dialog.waitFor({ state: 'detached' })
  await asBefore.waitFor({ state: 'detached' })
  await camera.show(700)

  await camera.click(inNewest('Share…'))
  await camera.show(700)
  await untilAnswered(() => camera.click(inDialog(/^Share/)))
  await inNewest('Remove').waitFor()
  await camera.show(900)
  const still = await camera.still()

  await camera.click(page.getByRole('navigation').getByRole('button', { name: 'finance' }))
  await page.getByRole('heading', { name: '#finance' }).waitFor()
  await untilAnswered(() => camera.type(messageBox, '/billing post'))
  const post = inNewest(/^Post/)
  await post.waitFor()
  await camera.show(900)
  await untilAnswered(() => camera.click(post))
  await page.getByRole('button', { name: /^Post/ }).waitFor({ state: 'detached' })
  await camera.show(1500)
  return still
}

const viewport = { width: 900, height: 620 }

/** Films a demo of its own, and writes `callboard-SCHEME.webp` and `callboard-SCHEME.png` for those who turn motion off. */
export function makeFilm(
  browser: Browser,
  shot: Shot,
): Promise<{ readonly durationMs: number; readonly bytes: number }> {
  return withDemoPage(browser, { viewport, ...shot }, async (page) => {
    const film = new Film(shot.scale)
    const still = await playScenes(page, new Camera(page, film))
    const moving = await film.toWebp()
    const path = join(shot.folder, `callboard-${shot.colorScheme}`)
    writeFileSync(`${path}.png`, still)
    writeFileSync(`${path}.webp`, moving)
    return { durationMs: film.durationMs, bytes: moving.length }
  })
}
