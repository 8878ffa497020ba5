import { escapeText } from '../blocks/blocks.ts'
import type { Installation } from './installations.ts'

export const INSTALL_PATH = '/slack/install'

/** The same as `bot_optional` in `manifest.yml`. */
export const optionalScopes = ['files:write', 'channels:join', 'mcp:connect'] as const
type OptionalScope = (typeof optionalScopes)[number]

export const scopeUses: Readonly<Record<OptionalScope, string>> = {
  'files:write': 'sends calls and the audit log as CSV files',
  'channels:join':
    'joins public channels by itself, when someone sets up an alert or a schedule, or posts a bill there',
  'mcp:connect': 'answers questions in Slackbot',
}

/** A person chose a function whose optional scope wasn't granted on Slack's consent page. */
export class MissingScopeError extends Error {
  override readonly name = 'MissingScopeError'
  readonly scope
  readonly reinstallUrl

  constructor(scope: OptionalScope, reinstallUrl: string | undefined) {
    super(`needs the scope ${scope}`)
    this.scope = scope
    this.reinstallUrl = reinstallUrl
  }
}

/** False if the granted scopes are unknown. */
export const lacksScope = ({ scopes }: Installation, scope: OptionalScope): boolean =>
  scopes !== undefined && !scopes.includes(scope)

/** @throws {MissingScopeError} */
export function requireScope(installation: Installation, scope: OptionalScope): void {
  if (lacksScope(installation, scope)) throw new MissingScopeError(scope, installation.reinstallUrl)
}

export const reinstallSentence = (reinstallUrl: string | undefined): string =>
  reinstallUrl === undefined
    ? 'Whoever runs Callboard can install it again to allow it.'
    : `<${escapeText(reinstallUrl)}|Install Callboard again> to allow it.`
