import { setTimeout as sleep } from 'node:timers/promises'
import { Ids } from '../../slack/ids.ts'
import type { GalleryState, Named, ShownSample } from '../api-types.ts'
import { alertChapters } from './alerts.ts'
import { billingChapters, scheduleChapters } from './billing.ts'
import { callChapters } from './calls.ts'
import { setupChapters } from './setup.ts'
import { type Chapter, type SampleBody, Stage } from './stage.ts'

export type Sample = SampleBody & { readonly feature: string; readonly name: string }

const chapters: readonly Chapter[] = [
  ...callChapters,
  ...alertChapters,
  ...scheduleChapters,
  ...billingChapters,
  ...setupChapters,
]

/** Chapters mostly wait, so several can be recorded at once. */
const MAX_CONCURRENT = 6

/** Every message, modal, Home tab and page of Callboard, recorded from the app itself when first asked for. */
export class Gallery {
  /** Reasons for missing samples. */
  readonly failures: unknown[] = []
  #recording: Promise<readonly Sample[]> | undefined
  readonly #people = new Map<string, Named>()
  readonly #channels = new Map<string, Named>()
  readonly #played: { readonly samples: readonly Sample[]; readonly shown: readonly ShownSample[] }[] = []
  #count = 0
  readonly #ids = new Ids(() => 0)

  /** Resolves to all samples. */
  samples(): Promise<readonly Sample[]> {
    this.#recording ??= this.#record()
    return this.#recording
  }

  /** Returns the samples recorded so far, with block ids as Slack adds them. */
  async state(): Promise<GalleryState> {
    await Promise.race([this.samples(), sleep(250)])
    const samples = this.#played.flatMap((chapter) => chapter?.shown ?? [])
    const directory = { people: [...this.#people.values()], channels: [...this.#channels.values()] }
    return { ...directory, samples, progress: this.#count / chapters.length }
  }

  async #record(): Promise<readonly Sample[]> {
    const waiting = [...chapters.entries()]
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await this.#play(...next)
    }
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
    return this.#played.flatMap(({ samples }) => samples)
  }

  async #play(index: number, { feature, options, play }: Chapter): Promise<void> {
    const stage = await Stage.start(options)
    try {
      await play(stage)
    } catch (cause) {
      const last = stage.samples.at(-1)?.name ?? 'the start'
      this.failures.push(new Error(`"${feature}" was not recorded after "${last}"`, { cause }))
    } finally {
      await stage.stop()
    }
    const { violations } = stage.slack
    if (violations.length > 0)
      this.failures.push(new Error(`Slack would refuse a part of "${feature}"`, { cause: violations }))
    const samples = stage.samples.map((sample) => ({ feature, ...sample }))
    for (const person of stage.directory.people) this.#people.set(person.id, person)
    for (const channel of stage.directory.channels) this.#channels.set(channel.id, channel)
    this.#played[index] = { samples, shown: samples.map((sample) => this.#show(sample)) }
    this.#count += 1
  }

  #show(sample: Sample): ShownSample {
    const { feature, name, kind, body } = sample
    if (kind === 'page') return { feature, name, kind, html: body }
    const blocks = this.#ids.fillIn(body.blocks)
    if (kind !== 'modal') return { feature, name, kind, blocks }
    const { title, submit, close } = body
    const frame = { title: title?.text ?? '', submit: submit?.text, close: close?.text ?? 'Cancel' }
    return { feature, name, kind, ...frame, blocks, errors: sample.errors }
  }
}
