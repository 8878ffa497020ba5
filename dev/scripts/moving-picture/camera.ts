import type { Locator, Page } from 'playwright-core'
import type { Film } from './film.ts'

const frameMs = 50
/** As a hand moves: it starts and ends slowly. */
const ease = (part: number) => part * part * (3 - 2 * part)

/** Uses a page as a person does, and films it: what it takes to load, to move and to think is left out. */
export class Camera {
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
