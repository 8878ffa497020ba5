import { readableText } from '../slack/readable-text.ts'
import type { Slack } from '../slack/slack.ts'
import type { DemoFile } from './demo-file.ts'
import type { DemoWorkspaces } from './workspaces.ts'

/** What the app shows in the first workspace once a step was done, from the tour or by oneself. */
const inFirst: Readonly<Record<string, RegExp>> = {
  missed: /^(?:[^\n]+: m|M)issed calls\. /,
  taken: /^(Missed call|\d+ missed calls) [\s\S]*\bDone by /,
  report: /^Call report(?![\s\S]*Scheduled by )/,
  number: /^Calls to /m,
  tomorrow: /^Call report[\s\S]*Scheduled by /,
  bill: /^\*Preview\.\*[\s\S]*^Billing: /m,
}
/** And in the second one. */
const inSecond: typeof inFirst = { company: /^Connected/m }

/** The tour's steps that were done, in whatever order, in this demo or before it was started again. */
export class TourProgress {
  readonly #file: DemoFile

  constructor(file: DemoFile) {
    this.#file = file
  }

  isDone(step: string): boolean {
    return this.#file.contents.done.includes(step)
  }

  /** Notes what the app has shown by now. */
  look(slack: Slack, [first]: DemoWorkspaces): void {
    const places = [...slack.messages(), ...slack.openViews()]
    for (const isFirst of [true, false]) {
      const left = Object.entries(isFirst ? inFirst : inSecond).filter(([step]) => !this.isDone(step))
      if (left.length === 0) continue
      const texts = places.filter(({ team }) => (team === first.team) === isFirst).map(readableText)
      const done = left.flatMap(([step, proof]) => (texts.some((text) => proof.test(text)) ? [step] : []))
      if (done.length > 0) this.#file.write({ done: [...this.#file.contents.done, ...done] })
    }
  }
}
