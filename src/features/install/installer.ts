import {
  AuthorizationError,
  type Installation,
  type InstallationStore,
  InstallProvider,
  InvalidStateError,
  MissingStateError,
} from '@slack/oauth'
import type { OAuthConfig } from '../../config/config.ts'
import { type Log, slackLogger } from '../../log.ts'
import type { Route } from '../../slack/inbound/http-receiver.ts'
import { type InstallationRecord, installationKey } from '../../store/installations.ts'
import type { Store } from '../../store/store.ts'
import { type Page, renderPage, sendPage, setPageHeaders } from './page.ts'
import { createStateStore, UsedStateError } from './state.ts'

export interface InstallerDeps {
  readonly oauth: OAuthConfig
  /** Base of Slack's Web API, ends in `/`. */
  readonly apiUrl: string
  readonly scopes: readonly string[]
  readonly store: Pick<Store, 'installations' | 'claims'>
  /** Told once an installation is kept. */
  readonly installed: (record: InstallationRecord) => Promise<void>
  readonly log: Log
  /** Epoch ms. */
  readonly now: () => number
}

export interface Installer {
  readonly install: Route
  readonly redirect: Route
}

const again = { text: 'Start again', href: '/slack/install' }

function failurePage(error: Error): Page & { status: number } {
  if (error instanceof AuthorizationError) {
    const lines = ['Nothing was installed, because it was not allowed in Slack.']
    return { status: 403, title: 'Not installed', lines, link: again }
  }
  if (error instanceof MissingStateError) {
    const lines = ['An installation starts here. Follow the button, and allow Callboard in Slack.']
    return { status: 400, title: 'Install Callboard', lines, link: { text: 'Go on', href: '/slack/install' } }
  }
  if (error instanceof UsedStateError) {
    const lines = [
      'This link was used already. If Callboard is in your workspace, all is well: try `/calls` there.',
    ]
    return { status: 400, title: 'Used already', lines, link: again }
  }
  if (error instanceof InvalidStateError) {
    const lines = ['This link has expired, or it was opened in another browser than the one it was made for.']
    return { status: 400, title: 'Expired', lines, link: again }
  }
  const lines = ['Something went wrong between Slack and Callboard. Nothing was installed; please try again.']
  return { status: 500, title: 'Not installed', lines, link: again }
}

function successPage({ appId, team, enterprise }: Installation, apiUrl: string): Page {
  const where = team?.name ?? enterprise?.name
  const query = new URLSearchParams({ ...(appId ? { app: appId } : {}), ...(team ? { team: team.id } : {}) })
  return {
    title: 'Callboard is installed',
    lines: [
      `It is in ${where ?? 'your workspace'} now, and has written to you there.`,
      'Next, as an admin: type `/calls connect` in Slack and enter the key and secret of your telephony account. Then `/calls` shows its calls.',
    ],
    link: { text: 'Open Slack', href: new URL(`/app_redirect?${query}`, apiUrl).href },
  }
}

/** @throws {TypeError} for an installation without a bot */
function toRecord(given: Installation, now: number): InstallationRecord {
  const { bot, team, enterprise, isEnterpriseInstall } = given
  if (!bot) throw new TypeError('an installation without a bot')
  return {
    enterpriseId: enterprise?.id,
    teamId: isEnterpriseInstall ? undefined : team?.id,
    botToken: bot.token,
    botUserId: bot.userId,
    scopes: bot.scopes,
    refreshToken: bot.refreshToken,
    expiresAt: bot.expiresAt === undefined ? undefined : bot.expiresAt * 1000,
    installer: given.user.id,
    installedAt: now,
  }
}

/**
 * `/slack/install` and `/slack/oauth_redirect`. A HEAD request (a link's preview) begins and ends nothing.
 * @see https://docs.slack.dev/authentication/installing-with-oauth
 */
export function createInstaller(deps: InstallerDeps): Installer {
  const { oauth, apiUrl, store, installed, log, now } = deps
  const installationStore: InstallationStore = {
    async storeInstallation(given) {
      const record = toRecord(given, now())
      await store.installations.set(record, installationKey(record))
      log.info(
        {
          audit: true,
          action: 'install',
          team: record.teamId,
          enterprise: record.enterpriseId,
          person: record.installer,
        },
        'audit',
      )
      await installed(record).catch((error: unknown) =>
        log.error({ err: error }, 'the installer was not written to'),
      )
    },
    async fetchInstallation() {
      throw new TypeError('installations are looked up elsewhere')
    },
  }
  const provider = new InstallProvider({
    clientId: oauth.clientId,
    clientSecret: oauth.clientSecret,
    stateStore: createStateStore({ secret: oauth.stateSecret, claims: store.claims, now }),
    installationStore,
    authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
    logger: slackLogger(log),
    clientOptions: {
      slackApiUrl: apiUrl,
      timeout: 10_000,
      retryConfig: { retries: 0 },
      allowAbsoluteUrls: false,
    },
    renderHtmlForInstallPath: (url) =>
      renderPage({
        title: 'Install Callboard',
        lines: [
          'Callboard puts your telephony account where your team already talks: calls, agents and billing, in Slack.',
        ],
        link: { text: 'Add to Slack', href: url },
      }),
  })
  const options = { scopes: [...deps.scopes], redirectUri: `${oauth.publicUrl}/slack/oauth_redirect` }

  const fail = (response: Parameters<Route>[1], error: Error) => {
    const { status, ...page } = failurePage(error)
    log.info({ outcome: error.name, cause: error.message }, 'an installation was not finished')
    sendPage(response, status, page)
  }
  /** Hands over to the SDK; whatever it throws becomes a page. */
  const route =
    (work: (...given: Parameters<Route>) => Promise<void>): Route =>
    (request, response) => {
      setPageHeaders(response)
      if (request.method === 'HEAD') {
        response.end()
        return
      }
      work(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'an installation failed')
        fail(response, error instanceof Error ? error : new Error('unknown'))
      })
    }

  return {
    install: route((request, response) => provider.handleInstallPath(request, response, {}, options)),
    redirect: route((request, response) =>
      provider.handleCallback(request, response, {
        success: (installation, _options, _request, given) =>
          sendPage(given, 200, successPage(installation, apiUrl)),
        failure: (error, _options, _request, given) => fail(given, error),
      }),
    ),
  }
}
