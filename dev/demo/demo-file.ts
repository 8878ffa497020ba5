import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const contents = z.object({
  /** By how much people have moved the demo's clock. */
  aheadMs: z.number().nonnegative().default(0),
  /** Whether it was opened before. */
  isOpened: z.boolean().default(false),
  /** The ids of the tour's steps that were done. */
  done: z.array(z.string()).readonly().default([]),
})

type Contents = z.infer<typeof contents>

/** What a demo keeps of itself from one start to the next, beside what the app keeps in the same folder. */
export class DemoFile {
  readonly #path: string
  #contents: Contents

  constructor(folder: string) {
    this.#path = join(folder, 'demo.json')
    this.#contents = readContents(this.#path)
  }

  get contents(): Contents {
    return this.#contents
  }

  write(changes: Partial<Contents>): void {
    this.#contents = { ...this.#contents, ...changes }
    writeFileSync(this.#path, JSON.stringify(this.#contents))
  }
}

/** A file that is missing or spoilt is that of a new demo: there is nothing in it that could not be done again. */
function readContents(path: string): Contents {
  try {
    return contents.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return contents.parse({})
  }
}
