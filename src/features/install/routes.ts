import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Installation, type InstallationStore, InstallProvider } from '@slack/oauth'
import type { GetHandler } from '../../http/http-server.ts'
import { slackLogger } from '../../log.ts'
import type { Services } from '../../services.ts'
import { backgroundTimeoutMs } from '../../slack/api/web-api.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import { type InstallationRecord, installationKey } from '../../store/installations.ts'
import type { EpochMs } from '../../util/units.ts'
import { sendPage, setPageHeaders } from './html-page.ts'
import { StateStore, UsedStateError } from './state-store.ts'
import {
  aboutPage,
  addToWorkspacesUrl,
  failurePage,
  organisationWelcomeText,
  successPage,
  welcomeText,
} from './words.ts'

/** https://docs.slack.dev/reference/scopes/mcp.connect */
const slackbotScope = 'mcp:connect'

/** The same as in `manifest.yml`. */
export const botScopes = [
  'commands',
  'chat:write',
  'channels:join',
  'channels:read',
  'files:write',
  'groups:read',
  'users:read',
  slackbotScope,
]

function toRecord(installation: Installation, now: EpochMs): InstallationRecord {
  const { bot, team, enterprise, isEnterpriseInstall } = installation
  if (!bot) throw new TypeError('an installation without a bot')
  if (bot.expiresAt !== undefined)
    throw new TypeError('the token expires: Callboard needs a Slack app without token rotation')
  return {
    enterpriseId: enterprise?.id,
    teamId: isEnterpriseInstall ? undefined : team?.id,
    botToken: bot.token,
    botUserId: bot.userId,
    appId: installation.appId,
    scopes: bot.scopes,
    installer: installation.user.id,
    installedAt: now,
  }
}

/** Redirects to Slack's consent page at once, as Slack expects of a "direct install URL". */
const INSTALL_PATH = '/slack/install'

/**
 * `/`, `/slack/install` and `/slack/oauth_redirect`, if OAuth is configured.
 * @see https://docs.slack.dev/authentication/installing-with-oauth
 * @see https://docs.slack.dev/slack-marketplace/distributing-your-app-in-the-slack-marketplace
 */
export function install({ config, store, notices, log, now }: Services): FeatureRoutes {
  const { oauth, apiUrl } = config.slack
  if (!oauth) return {}
  const { supportUrl } = oauth
  const footer = [
    { text: 'About Callboard', href: '/' },
    { text: 'Privacy', href: '/#privacy' },
    { text: 'Support', href: supportUrl },
  ]

  /**
   * Sends next steps to the person who installed the app, once per installation.
   * @param addUrl for an organization: Slack's page for adding the app to workspaces
   * @throws {StoreError}
   */
  async function sendWelcome(record: InstallationRecord, addUrl: string | undefined): Promise<void> {
    const { enterpriseId, teamId = '', installer, installedAt } = record
    const id = `welcome/${installationKey(record)}/${installedAt}`
    // For an organization, the button wouldn't know which workspace to connect.
    const withConnect = teamId !== ''
    const text = addUrl === undefined ? welcomeText : organisationWelcomeText(addUrl)
    await notices.notify({ enterpriseId, teamId }, [installer], id, { text, withConnect })
  }

  /**
   * Keeps the administrator of the installation before, because a workspace may let every member reinstall apps. Only
   * admins can install for an organization. Fails closed: if the record is unreadable, no administrator is stored.
   * @throws {StoreError}
   */
  async function keepAdministrator(record: InstallationRecord): Promise<InstallationRecord> {
    if (record.teamId === undefined) return record
    const key = installationKey(record)
    const before = await whereReadable(store.installations.get(key))
    if (!before && (await store.installations.has(key))) return { ...record, administrator: '' }
    return { ...record, administrator: before?.administrator ?? before?.installer }
  }

  const installationStore: InstallationStore = {
    async storeInstallation(installation) {
      const record = await keepAdministrator(toRecord(installation, now()))
      const { teamId: team, enterpriseId: enterprise, installer: person } = record
      await store.installations.set(record, installationKey(record))
      log.info({ audit: true, action: 'install', team, enterprise, person }, 'audit')
      const addUrl = addToWorkspacesUrl(installation, apiUrl)
      await sendWelcome(record, addUrl).catch((error: unknown) =>
        log.error({ err: error }, 'welcome message failed'),
      )
    },
    async fetchInstallation() {
      throw new TypeError('not used: the app looks up installations itself')
    },
  }
  const stateStore = new StateStore(oauth.stateSecret, store.claims, now)
  const providerOptions = {
    clientId: oauth.clientId,
    clientSecret: oauth.clientSecret,
    stateStore,
    installationStore,
    authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href,
    logger: slackLogger(log),
    clientOptions: {
      slackApiUrl: apiUrl,
      timeout: backgroundTimeoutMs,
      retryConfig: { retries: 0 },
      allowAbsoluteUrls: false,
    },
    directInstall: true,
  }
  const getParameter = (url = '', name: string) => new URL(url, oauth.publicUrl).searchParams.get(name) ?? ''
  const provider = new InstallProvider(providerOptions)
  const options = {
    scopes: botScopes.filter((scope) => config.mcp || scope !== slackbotScope),
    redirectUri: `${oauth.publicUrl}/slack/oauth_redirect`,
  }

  const fail = (response: ServerResponse, error: Error) => {
    const { status, ...page } = failurePage(error)
    log.info({ outcome: error.name, cause: error.message }, 'installation not finished')
    sendPage(response, status, { ...page, footer })
  }

  /** Runs the SDK's part; an error that it throws is shown as a page. */
  const withErrorPage =
    (work: (...exchange: Parameters<GetHandler>) => Promise<void>): GetHandler =>
    (request, response) => {
      setPageHeaders(response)
      work(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'installation failed')
        fail(response, error instanceof Error ? error : new Error('unknown'))
      })
    }

  async function onRedirect(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A link preview's HEAD request must not use up the code.
    if (request.method === 'HEAD' && getParameter(request.url, 'code') !== '') {
      response.end()
      return
    }
    // A reload: the SDK deleted the browser's cookie, so it would report another browser's state.
    if (await stateStore.isUsed(getParameter(request.url, 'state')))
      return fail(response, new UsedStateError('the page was loaded again'))
    return provider.handleCallback(request, response, {
      success: (installation) => sendPage(response, 200, { ...successPage(installation, apiUrl), footer }),
      failure: (error) => fail(response, error),
    })
  }

  return {
    http: [
      {
        path: '/',
        handle: (_request, response) => sendPage(response, 200, aboutPage(INSTALL_PATH, supportUrl)),
      },
      {
        path: INSTALL_PATH,
        // A state is stored only when it is used, so a HEAD request starts nothing.
        handle: withErrorPage((request, response) =>
          provider.handleInstallPath(request, response, {}, options),
        ),
      },
      { path: '/slack/oauth_redirect', handle: withErrorPage(onRedirect) },
    ],
  }
}
