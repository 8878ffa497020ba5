import type { types } from '@slack/bolt'
import type { Tell } from './answer.ts'

/** What a modal says until its view is ready: the latest that was told, one update at a time. */
export class WaitingModal {
  readonly #viewOf
  #text
  #shown: string | undefined
  #show: ((view: types.ModalView) => Promise<void>) | undefined
  #updating: Promise<void> | undefined

  /** @param viewOf makes the modal that says so */
  constructor(text: string, viewOf: (mrkdwn: string) => types.ModalView) {
    this.#text = text
    this.#viewOf = viewOf
  }

  readonly tell: Tell = (mrkdwn) => {
    this.#text = mrkdwn
    this.#update()
  }

  /** To be shown now. */
  view(): types.ModalView {
    this.#shown = this.#text
    return this.#viewOf(this.#text)
  }

  /** @param show shows what is told from now on */
  opened(show: (view: types.ModalView) => Promise<void>): void {
    this.#show = show
    this.#update()
  }

  /** Shows nothing more. @returns once nothing is on its way */
  async over(): Promise<void> {
    this.#show = undefined
    await this.#updating
  }

  #update(): void {
    if (!this.#show || this.#updating || this.#text === this.#shown) return
    const next = () => {
      this.#updating = undefined
      this.#update()
    }
    // Where it fails, so does the view that follows, which tells of it.
    this.#updating = this.#show(this.view()).then(next, next)
  }
}
