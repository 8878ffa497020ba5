import { createSandbox, type Sandbox } from '../../../dev/service/app.ts'
import type { SandboxAccount } from '../../../dev/service/sandbox-account.ts'
import type { Operation } from '../../../dev/service/types.ts'

/** A Thursday afternoon in Berlin; both zones' clocks went back within the two weeks before. */
export const NOW = new Date('2026-11-05T13:37:42Z')

export const sandboxAtNow = (): Sandbox => createSandbox({ now: () => NOW })

interface OperationRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Required parameters, except the credentials. */
  readonly required?: Record<string, string>
}

export const requests: Record<Operation, OperationRequest> = {
  outgoing: { method: 'POST', path: '/api/v1/outgoing', required: { timezone: '+00:00' } },
  incoming: { method: 'GET', path: '/api/v1/incoming', required: { timezone: '+00:00' } },
  billing: { method: 'GET', path: '/api/v1/billing/details' },
  invoices: { method: 'POST', path: '/api/v1/billing/invoice', required: { customer_id: 'C-4101' } },
  agents: { method: 'GET', path: '/api/v1/agent/list' },
}

export function toPath(
  operation: Operation,
  account: Pick<SandboxAccount, 'key' | 'secret'>,
  params: Record<string, string> = {},
): string {
  const { key, secret } = account
  const { path, required } = requests[operation]
  return `${path}?${new URLSearchParams({ key, secret, ...required, ...params })}`
}

export interface Envelope {
  status: string
  message: string
  total_record: string
  result: Record<string, string>[]
}

/** Requests an operation, by default for the lively account. */
export async function ask(
  sandbox: Sandbox,
  operation: Operation,
  params: Record<string, string> = {},
  account: Pick<SandboxAccount, 'key' | 'secret'> = sandbox.accounts.lively,
): Promise<{ status: number; body: Envelope }> {
  const path = toPath(operation, account, params)
  const response = await sandbox.app.request(path, { method: requests[operation].method })
  return { status: response.status, body: (await response.json()) as Envelope }
}

/** Returns all pages of a list until the first empty one. */
export async function walk(
  sandbox: Sandbox,
  direction: 'incoming' | 'outgoing',
  params: Record<string, string> = {},
): Promise<Envelope[]> {
  const pages: Envelope[] = []
  for (let page = direction === 'incoming' ? 1 : 0; ; page++) {
    const { body } = await ask(sandbox, direction, { ...params, page: String(page) })
    if (body.result.length === 0) return pages
    pages.push(body)
  }
}

export function ids(pages: readonly Envelope[]): (string | undefined)[] {
  return pages.flatMap(({ result }) => result.map(({ id }) => id))
}
