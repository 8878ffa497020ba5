import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'

const frameMs = 50
const arrowSize = 40
/** Centers the tip of the arrow, like the ring around a click. */
const arrow = (isDown: boolean, scale: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 40 40" width="${arrowSize * scale}" height="${arrowSize * scale}">
      <circle r="18" fill="#1a66c7" fill-opacity="${isDown ? 0.35 : 0}"/>
      <path d="M0 0V17L4 13.2 6.7 19.3 9.4 18.1 6.8 12.2H12Z" fill="#111" stroke="#fff" stroke-width="1.4"/>
    </svg>`,
  )
/** Eases in and out, like a hand. */
const ease = (part: number) => part * part * (3 - 2 * part)

/** Uses a page like a person and films it, without loading times. */
export class Camera {
  readonly #page: Page
  readonly #scale: number
  readonly #frames: { readonly png: Buffer; readonly durationMs: number }[] = []
  /** In CSS pixels. */
  #pointer: { readonly x: number; readonly y: number }

  /** @param scale device pixels per CSS pixel */
  constructor(page: Page, scale: number) {
    this.#page = page
    this.#scale = scale
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    this.#pointer = { x: width * 0.62, y: height * 0.7 }
  }

  get durationMs(): number {
    return this.#frames.reduce((sum, { durationMs }) => sum + durationMs, 0)
  }

  /** Takes a PNG screenshot without the pointer. */
  still(): Promise<Buffer> {
    return this.#page.screenshot({ animations: 'disabled' })
  }

  /** Adds the current page to the film for some time. */
  async show(durationMs: number, isDown = false): Promise<void> {
    await this.#add(await this.still(), durationMs, isDown)
  }

  async #add(screenshot: Buffer, durationMs: number, isDown = false): Promise<void> {
    const edge = (at: number) => Math.round((at - arrowSize / 2) * this.#scale)
    const { x, y } = this.#pointer
    const png = await sharp(screenshot)
      .removeAlpha()
      .composite([{ input: arrow(isDown, this.#scale), left: edge(x), top: edge(y) }])
      .png({ compressionLevel: 1 })
      .toBuffer()
    this.#frames.push({ png, durationMs })
  }

  /** Types two characters per frame, then Enter. */
  async type(box: Locator, text: string): Promise<void> {
    for (const part of text.match(/..?/gs) ?? []) {
      await box.pressSequentially(part)
      await this.show(frameMs)
    }
    await this.show(250)
    await box.press('Enter')
  }

  /** Moves the pointer to an element and clicks it. */
  async click(target: Locator): Promise<void> {
    const box = await target.boundingBox()
    if (!box) throw new Error(`nothing to point at: ${target}`)
    const from = this.#pointer
    const to = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const screen = await this.still()
    for (const step of [1, 2, 3, 4, 5]) {
      const part = ease(step / 5)
      this.#pointer = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
      await this.#add(screen, frameMs)
    }
    await target.hover()
    await this.show(60)
    await this.show(120, true)
    await target.click()
  }

  /** Makes a looping film without losses. Unchanged areas take no space. */
  toWebp(): Promise<Buffer> {
    return sharp(
      this.#frames.map(({ png }) => png),
      { join: { animated: true } },
    )
      .webp({ lossless: true, effort: 6, loop: 0, delay: this.#frames.map(({ durationMs }) => durationMs) })
      .toBuffer()
  }
}
