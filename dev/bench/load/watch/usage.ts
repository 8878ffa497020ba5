import { timedOut, withTimeout } from '../../../../src/util/with-timeout.ts'
import type { MeasuredProcess, Usage } from '../../measured-process.ts'

/** A killed process answers never. */
const PATIENCE_MS = 3000

interface Course {
  readonly from: number
  readonly to: number
  readonly cpuMs: number
  readonly mostMb: number
}

/** What the app's processes used, from look to look: one that is killed takes its figures with it. */
export class ProcessUse {
  /** By address: a process that is started again has another one. */
  readonly #last = new Map<string, Usage & { readonly at: number }>()
  readonly #courses = new Map<string, Course>()

  async look(processes: readonly MeasuredProcess[]): Promise<void> {
    await Promise.all(processes.map((one) => this.#lookAt(one)))
  }

  async #lookAt(one: MeasuredProcess): Promise<void> {
    const usage = await withTimeout(one.usage(), PATIENCE_MS).catch((): typeof timedOut => timedOut)
    if (usage === timedOut) return
    const at = performance.now()
    const last = this.#last.get(one.url)
    this.#last.set(one.url, { ...usage, at })
    if (!last) return
    const course = this.#courses.get(one.url) ?? { from: last.at, to: at, cpuMs: 0, mostMb: 0 }
    const cpuMs = course.cpuMs + usage.cpuMs - last.cpuMs
    this.#courses.set(one.url, { ...course, to: at, cpuMs, mostMb: Math.max(course.mostMb, usage.rssMb) })
  }

  /** Since the last time it was asked, for each process. */
  take(): string {
    const courses = [...this.#courses.values()]
    this.#courses.clear()
    return courses
      .map(({ from, to, cpuMs, mostMb }) => {
        const core = (cpuMs / (to - from)) * 100
        return `${core.toFixed(0)} % of a core, ${mostMb.toFixed(0)} MB`
      })
      .join('; ')
  }
}
