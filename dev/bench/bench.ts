import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Postgres, startPostgres } from '../postgres.ts'
import { createSandbox } from '../service/app.ts'
import { type MeasuredProcess, startProcess } from './process.ts'
import { SlackStub } from './slack-stub.ts'
import { appEnv, connectWorkspaces } from './workspaces.ts'

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const ownCheckout = program('../../')
export const workingApp = program('working-app.ts')

export interface Sizes {
  readonly rounds: number
  /** Of a slice, without the moments before it. */
  readonly sliceMs: number
  readonly warmUpMs: number
  readonly workspaces: number
  /** That a scan reads. */
  readonly records: number
}

export interface AppOptions {
  readonly fetchAhead?: boolean
  readonly store?: 'sqlite' | 'postgres'
  /** Another one's folder. */
  readonly checkout?: string
  /** Another program than the app's own. */
  readonly main?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Everything around the apps: a stub of Slack, the service with and without latency, stores of connected workspaces. */
export class Bench {
  readonly sizes: Sizes
  readonly slack: SlackStub
  /** The service that answers at once, and the one that takes its 50 ms. */
  readonly fast: MeasuredProcess
  readonly slow: MeasuredProcess
  /** Every workspace's. */
  readonly account: { readonly key: string; readonly secret: string }
  readonly #postgres: Postgres
  readonly #folder: string
  /** The SQLite files with every workspace, by the checkout that wrote them. Each app has a copy: a file is for one process. */
  readonly #files = new Map<string, Promise<string>>()
  #copies = 0
  /** By how many bytes the app's message is longer than the bare app's own. */
  #missingBytes = 0

  private constructor(
    around: Pick<Bench, 'sizes' | 'slack' | 'fast' | 'slow' | 'account'>,
    postgres: Postgres,
  ) {
    this.sizes = around.sizes
    this.slack = around.slack
    this.fast = around.fast
    this.slow = around.slow
    this.account = around.account
    this.#postgres = postgres
    this.#folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'))
  }

  static async start(sizes: Sizes): Promise<Bench> {
    const slack = await new SlackStub().start()
    const [fast, slow] = [await startService(0), await startService(50)]
    const account = createSandbox({ calls: 0 }).accounts.lively
    const bench = new Bench({ sizes, slack, fast, slow, account }, await startPostgres())
    // As many as the loads use.
    await connectWorkspaces(bench.#postgres.url, Math.min(sizes.workspaces, 3200), () => account)
    return bench
  }

  async startApp(service: MeasuredProcess, options: AppOptions = {}): Promise<MeasuredProcess> {
    const { fetchAhead = false, store = 'sqlite', checkout = ownCheckout, env = {} } = options
    const { main = join(checkout, 'src/main.ts') } = options
    const storeUrl = store === 'sqlite' ? await this.#copyOfSqlite(checkout) : this.#postgres.url
    return startProcess(main, {
      ...appEnv(this.slack, service.url, storeUrl),
      FETCH_AHEAD: fetchAhead ? 'on' : 'off',
      ...env,
    })
  }

  /** @param options.installationStore whether it looks up the token of each workspace */
  startBare(service: MeasuredProcess, { installationStore = false } = {}): Promise<MeasuredProcess> {
    return startProcess(program('bare-app.ts'), {
      ...appEnv(this.slack, service.url, ''),
      SERVICE_KEY: this.account.key,
      SERVICE_SECRET: this.account.secret,
      INSTALLATION_STORE: installationStore ? 'on' : 'off',
      FILLER_BYTES: String(this.#missingBytes),
    })
  }

  async #copyOfSqlite(checkout: string): Promise<string> {
    const filled = this.#files.get(checkout) ?? this.#fillSqlite(checkout)
    this.#files.set(checkout, filled)
    const copy = join(this.#folder, `copy-${++this.#copies}.sqlite`)
    copyFileSync(await filled, copy)
    return `sqlite:${copy}`
  }

  async #fillSqlite(checkout: string): Promise<string> {
    const file = join(this.#folder, `checkout-${this.#files.size}.sqlite`)
    // What is kept may differ from one checkout to the other: each writes its own.
    const { Store }: typeof import('../../src/store/store.ts') = await import(
      pathToFileURL(join(checkout, 'src/store/store.ts')).href
    )
    await connectWorkspaces(`sqlite:${file}`, this.sizes.workspaces, () => this.account, { Store })
    return file
  }

  /** From then on the bare app's message has as many bytes as the app's, so that both carry the same. */
  async alignMessages(): Promise<{ readonly bytes: number; readonly added: number }> {
    const lengthOf = async (one: MeasuredProcess) => {
      const { text } = await this.slack.send(one.url, { kind: 'click', team: 0, page: 2 })
      await one.stop()
      return Buffer.byteLength(text)
    }
    const bytes = await lengthOf(await this.startApp(this.fast))
    this.#missingBytes = Math.max(0, bytes - (await lengthOf(await this.startBare(this.fast))))
    return { bytes, added: this.#missingBytes }
  }

  async close(): Promise<void> {
    await Promise.all([this.fast.stop(), this.slow.stop(), this.slack.close(), this.#postgres.stop()])
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** @param delayMs how long each of its responses takes @param calls about how many it has */
export const startService = (delayMs: number, calls = 9000): Promise<MeasuredProcess> =>
  startProcess(program('cached-sandbox.ts'), {
    SERVICE_DELAY_MS: String(delayMs),
    SERVICE_CALLS: String(calls),
  })

/** A service in which every key is an account of its own. */
export const startAccountService = (env: { readonly [name in 'ANSWERS' | 'ANSWER_MS']?: string }) =>
  startProcess(program('account-service.ts'), env)

/** Every process takes its turn in every round: each comes first, and follows each of the others, as often as any. */
export async function inTurns<Found>(
  rounds: number,
  turns: readonly ((round: number) => Promise<Found>)[],
): Promise<readonly (readonly Found[])[]> {
  const found: Found[][] = []
  for (let round = 0; round < rounds; round += 1) {
    process.stderr.write(`  round ${round + 1} of ${rounds}\n`)
    const start = round % turns.length
    const done: Found[] = []
    for (const turn of [...turns.slice(start), ...turns.slice(0, start)]) done.push(await turn(round))
    found.push([...done.slice(turns.length - start), ...done.slice(0, turns.length - start)])
  }
  return found
}
