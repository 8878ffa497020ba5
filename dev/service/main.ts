import '../prepare.ts'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { isPortTaken } from '../listen.ts'
import { createSandbox, type Sandbox } from './app.ts'
import { type ServedSandbox, serveSandbox } from './serve.ts'

const DEFAULT_PORT = 4010
const USAGE = 'Usage: npm run sandbox [-- --port N --seed N --calls N --delay MS --now INSTANT --control]'

const optionsSchema = z.object({
  port: z.coerce.number().int().min(0).max(65_535).optional(),
  seed: z.coerce.number().int().optional(),
  calls: z.coerce.number().int().min(0).max(1_000_000).optional(),
  delay: z.coerce.number().int().min(0).optional(),
  /** Stops the sandbox's clock at that time, for reproducible runs. */
  now: z.iso.datetime({ offset: true }).optional(),
  control: z.boolean().optional(),
})

function readOptions(): z.infer<typeof optionsSchema> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: { port: text, seed: text, calls: text, delay: text, now: text, control: { type: 'boolean' } },
  })
  const options = optionsSchema.safeParse(values)
  if (options.success) return options.data
  throw new TypeError(
    `--${options.error.issues.map(({ path }) => path.join('.')).join(', --')}: not a valid value`,
  )
}

/** Exactly the requested port; by default the first free one from 4010. */
async function serve(sandbox: Sandbox, port: number | undefined): Promise<ServedSandbox> {
  try {
    const isNear = port === undefined
    return await serveSandbox(sandbox, { port: port ?? DEFAULT_PORT, isNear, ownProcess: true })
  } catch (cause) {
    if (!isPortTaken(cause)) throw cause
    throw new Error(`Port ${port} is taken. Choose another one: npm run sandbox -- --port N`, { cause })
  }
}

function controlText(root: URL, { name }: { readonly name: string }): string {
  const json = (value: object) => `-d '${JSON.stringify(value)}'`
  return [
    'Controls:',
    `  a call is missed now  curl -X POST ${root}sandbox/missed-calls`,
    `  a burst of forty      curl ${root}sandbox/missed-calls ${json({ account: name, count: 40 })}`,
    `  the service is down   curl ${root}sandbox/faults ${json({ fault: { kind: 'status', status: 503 }, times: 'always' })}`,
    `  it works again        curl -X DELETE ${root}sandbox/faults`,
    `  what was asked of it  curl ${root}sandbox/requests`,
    'A missed call also takes a "line", one of the account\'s numbers, and an "agentId".',
  ].join('\n')
}

function describe({ accounts }: Sandbox, served: ServedSandbox, control: boolean): string {
  const { baseUrl, recordingsUrl } = served
  const about = Object.values(accounts).map((account) => {
    const counts = `${account.calls('incoming').length} incoming, ${account.calls('outgoing').length} outgoing`
    const customers = account.customers.map(({ id, invoices }) => {
      return `${id} (invoices ${invoices.map((invoice) => invoice.id).join(' ') || 'none'})`
    })
    return [
      account.name,
      `  key        ${account.key}`,
      `  secret     ${account.secret}`,
      `  calls      ${counts}`,
      `  lines      ${account.billing.addOn.numbers.map(({ number }) => number).join(', ')}`,
      `  agents     ${account.agents.map(({ id, name }) => `${id} ${name}`).join(', ')}`,
      `  customers  ${customers.join(', ')}`,
    ].join('\n')
  })
  const root = new URL('/', baseUrl)
  return [
    `Sandbox at ${baseUrl}`,
    ...about,
    ...(control ? [controlText(root, accounts.lively)] : []),
    `In .env:\n  TELEPHONY_BASE_URL=${baseUrl}\n  RECORDINGS_BASE_URL=${recordingsUrl}`,
    'Then connect a workspace with a key and secret from above. Press Ctrl-C to stop.',
  ].join('\n\n')
}

async function main(): Promise<void> {
  const { port, seed, calls, delay, now, control = false } = readOptions()
  const sandbox = createSandbox({ seed, calls, now: now ? () => new Date(now) : undefined, control })
  if (delay) sandbox.faults.always({ kind: 'delay', ms: delay })
  const served = await serve(sandbox, port)
  console.log(describe(sandbox, served, control))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void served.close())
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  if (error instanceof TypeError) console.error(USAGE)
  process.exitCode = 1
})
