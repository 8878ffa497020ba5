import type { Team } from './directory.ts'

export interface SlackFile {
  readonly id: string
  readonly name: string
  readonly team: Team
  /** Expected length in bytes. */
  readonly length: number
  content?: Buffer
  title?: string
  /** The conversation in which it was shared; undefined before that. */
  channel?: string
}

/** Files, including those whose upload hasn't finished. */
export class Files {
  readonly #files: (SlackFile & { readonly path: string })[] = []

  /** @returns the file, and the path for its upload, which works once */
  offer(team: Team, name: string, length: number): { readonly file: SlackFile; readonly path: string } {
    const id = `F0FILE${this.#files.length + 1}`
    const path = `/upload/v1/${crypto.randomUUID()}`
    const file = { id, name, team, length, path }
    this.#files.push(file)
    return { file, path }
  }

  awaitedAt(path: string): SlackFile | undefined {
    return this.#files.find((file) => file.path === path && file.content === undefined)
  }

  get(id: string): SlackFile | undefined {
    return this.#files.find((file) => file.id === id)
  }

  all(): readonly SlackFile[] {
    return this.#files
  }
}
