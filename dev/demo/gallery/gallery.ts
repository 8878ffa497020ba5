import { setTimeout as sleep } from 'node:timers/promises'
import { Ids } from '../../slack/ids.ts'
import type { GalleryState, ShownSample } from '../api-types.ts'
import { billingChapters } from './billing.ts'
import { callChapters } from './calls.ts'
import { type Chapter, Recorder, type SampleBody } from './recorder.ts'
import { setupChapters } from './setup.ts'
import { slackbotChapters } from './slackbot.ts'
import { subscriptionChapters } from './subscriptions.ts'

export type Sample = SampleBody & { readonly feature: string; readonly name: string }

const chapters = [
  ...callChapters,
  ...subscriptionChapters,
  ...billingChapters,
  ...setupChapters,
  ...slackbotChapters,
]

/** Chapters mostly wait, for answers that are late on purpose. */
const atATime = 12

async function play(chapter: Chapter, failures: unknown[]) {
  const { feature } = chapter
  const recorder = await Recorder.start(chapter)
  try {
    await recorder.run(chapter.steps)
  } catch (cause) {
    failures.push(new Error(`not all samples of "${feature}" were recorded`, { cause }))
  } finally {
    await recorder.stop()
  }
  const { samples, directory, slack } = recorder
  if (slack.violations.length > 0)
    failures.push(new Error(`Slack would not have taken all of "${feature}"`, { cause: slack.violations }))
  return { directory, samples: samples.map((one) => ({ feature, ...one })) }
}

/**
 * Every message, modal, home tab and page that Callboard can show, with invented data: recorded from the app itself, once, when
 * somebody first asks.
 */
export class Gallery {
  /** Why samples are missing; empty where the app does what the chapters expect of it. */
  readonly failures: unknown[] = []
  #recording: Promise<readonly Sample[]> | undefined
  #played = 0
  #state: GalleryState = { people: [], channels: [], samples: [], progress: 0 }

  /** Every sample, once all of them are there. @param onProgress told the part that is done, up to 1 */
  samples(onProgress?: (part: number) => void): Promise<readonly Sample[]> {
    this.#recording ??= this.#record(onProgress)
    return this.#recording
  }

  /** What the page draws now: how far it is, or every sample, its blocks with ids as Slack gives them. @throws where it failed */
  async state(): Promise<GalleryState> {
    const recording = this.samples()
    await Promise.race([recording, sleep(500)])
    return { ...this.#state, progress: this.#played / chapters.length }
  }

  async #record(onProgress: (part: number) => void = () => {}): Promise<readonly Sample[]> {
    const played: Awaited<ReturnType<typeof play>>[] = []
    const waiting = [...chapters.entries()]
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, chapter] = next
        played[index] = await play(chapter, this.failures)
        this.#played += 1
        onProgress(this.#played / chapters.length)
      }
    }
    await Promise.all(Array.from({ length: atATime }, work))
    const samples = played.flatMap((one) => one.samples)
    const ids = new Ids(() => 0)
    const directory = played[0]?.directory ?? { people: [], channels: [] }
    this.#state = { ...directory, samples: samples.map((sample) => shownSample(sample, ids)), progress: 1 }
    return samples
  }
}

function shownSample(sample: Sample, ids: Ids): ShownSample {
  const { feature, name, kind, body } = sample
  if (kind === 'page') return { feature, name, kind, html: body }
  const blocks = ids.fillIn(body.blocks)
  if (kind !== 'modal') return { feature, name, kind, blocks }
  const { title, submit, close } = body
  const frame = { title: title?.text ?? '', submit: submit?.text, close: close?.text ?? 'Cancel' }
  return { feature, name, kind, ...frame, blocks, errors: sample.errors }
}
