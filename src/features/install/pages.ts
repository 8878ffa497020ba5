import * as slackOAuth from '@slack/oauth'
import { INSTALL_PATH, optionalScopes, scopeUses } from '../../slack/access/scopes.ts'
import { slackErrorCode } from '../../slack/api/web-api.ts'
import { escapeText } from '../../slack/blocks/blocks.ts'

export const PRIVACY_PATH = '/privacy'

export const escapeHtml = (text: string) => escapeText(text).replaceAll('"', '&quot;')

const style = `
  :root { color-scheme: light dark; --accent: light-dark(#14705a, #6fd3b4); --code: light-dark(#eceef2, #2c3038) }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f7f9, #16181c); color: light-dark(#1d1f23, #e8eaee); font: 16px/1.5 system-ui, sans-serif }
  main { background: light-dark(#fff, #1f2228); border-radius: 12px; padding: 32px; max-width: 480px; margin: 16px }
  main:has(table, figure) { max-width: 880px }
  .brand { display: flex; align-items: center; gap: 10px; margin: 0 0 16px; font-weight: 700 }
  h1 { font-size: 22px; margin: 0 0 12px }
  h2 { font-size: 18px; margin: 28px 0 8px }
  code { background: var(--code); border-radius: 4px; padding: 1px 5px }
  a { color: var(--accent); overflow-wrap: anywhere }
  a.button { display: inline-block; margin-top: 12px; padding: 10px 18px; border-radius: 8px; background: var(--accent); color: light-dark(#fff, #10211b); text-decoration: none; font-weight: 600 }
  th, td { padding: 8px 12px 8px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--code) }
  ol, ul { padding-left: 20px }
  li { margin: 6px 0 }
  figure { margin: 20px 0; padding: 14px 16px; border: 1px solid var(--code); border-radius: 10px; display: grid; gap: 8px; font-size: 15px }
  figure b { font-size: 17px }
  figure span { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px }
  figure i { font-style: normal; font-weight: 600; border: 1px solid light-dark(#858b96, #6d7481); border-radius: 8px; padding: 2px 10px }
  .benefits { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 8px 24px; padding: 0; list-style: none }
  .benefits strong { display: block }
  footer { display: flex; flex-wrap: wrap; gap: 4px 20px; margin-top: 28px; font-size: 14px }`

const logo =
  '<svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1f3a5f"/><path d="M9 10h14M9 16h14M9 22h8" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>'

const renderPage = (title: string, content: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Callboard</title><style>${style}</style></head><body><main><p class="brand">${logo}Callboard</p><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`

/** Returns HTML in which text between backticks is code. */
const withCode = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const paragraphs = (...lines: readonly string[]): string =>
  lines.map((line) => `<p>${withCode(line)}</p>`).join('')

const anchor = (text: string, href: string, attributes = ''): string =>
  `<a${attributes} href="${escapeHtml(href)}">${escapeHtml(text)}</a>`

const buttonLink = (text: string, href: string): string => anchor(text, href, ' class="button"')

const pageSection = (id: string, heading: string, content: string): string =>
  `<section id="${id}"><h2>${escapeHtml(heading)}</h2>${content}</section>`

export interface ResultPage {
  readonly status: number
  readonly title: string
  readonly lines: readonly string[]
  readonly button: readonly [text: string, href: string]
}

export function renderResult({ title, lines, button }: ResultPage, supportUrl: string): string {
  const links = [
    anchor('About Callboard', '/'),
    anchor('Privacy', PRIVACY_PATH),
    anchor('Support', supportUrl),
  ]
  const content = [paragraphs(...lines), buttonLink(...button), `<footer>${links.join('')}</footer>`]
  return renderPage(title, content.join(''))
}

function failure(status: number, title: string, line: string, button = 'Try again'): ResultPage {
  return { status, title, lines: [line], button: [button, INSTALL_PATH] }
}

export function describeFailedInstall(error: unknown): ResultPage {
  if (error instanceof slackOAuth.AuthorizationError)
    return failure(403, 'Not installed', 'You cancelled. Nothing was installed.')
  if (error instanceof slackOAuth.MissingStateError || error instanceof slackOAuth.MissingCodeError) {
    const line = 'Nothing is installed yet. Start with the button below.'
    return failure(400, 'Install Callboard', line, 'Install Callboard')
  }
  // Anyone can send a code of their own.
  const isRefusedCode = ['invalid_code', 'code_already_used'].includes(slackErrorCode(error) ?? '')
  if (error instanceof slackOAuth.InvalidStateError || isRefusedCode) {
    const line =
      'This link has expired, was used before, or was opened in another browser. If Callboard is installed already, try `/calls` in Slack.'
    return failure(400, 'Link expired', line)
  }
  const line = 'Something went wrong between Slack and Callboard. Nothing was installed.'
  return failure(500, 'Not installed', line)
}

/**
 * Returns Slack's page for adding an organization-wide installation to workspaces, because it starts without any.
 * @see https://api.slack.com/enterprise/apps/reference
 */
function addToWorkspacesUrl(installation: slackOAuth.Installation, apiUrl: string): string | undefined {
  const { isEnterpriseInstall, enterprise, appId } = installation
  if (!isEnterpriseInstall || !enterprise || appId === undefined) return undefined
  const organization = encodeURIComponent(enterprise.id)
  const app = encodeURIComponent(appId)
  const url = new URL(`/manage/${organization}/integrations/profile/${app}/workspaces/add`, apiUrl)
  // Slack's and GovSlack's admin pages are on `app.`; test servers use http and have no such host.
  if (url.protocol === 'https:') url.hostname = `app.${url.hostname}`
  return url.href
}

/** @param apiUrl base of Slack's Web API, ends in `/` */
export function describeInstall(installation: slackOAuth.Installation, apiUrl: string): ResultPage {
  const { appId = '', team, enterprise } = installation
  const title = 'Callboard is installed'
  const addUrl = addToWorkspacesUrl(installation, apiUrl)
  if (addUrl !== undefined) {
    const lines = [
      `${enterprise?.name ?? 'Your organization'} has Callboard now, but none of its workspaces yet. Next, choose the workspaces that should have it.`,
      'Then, in each of them, type `/calls connect` and enter the API key and secret of its phone account.',
    ]
    return { status: 200, title, lines, button: ['Choose workspaces', addUrl] }
  }
  const query = new URLSearchParams({ app: appId, team: team?.id ?? '' })
  const lines = [
    `Callboard is now in ${team?.name ?? 'your workspace'}, and has sent you a message there.`,
    'Next, connect your phone account with its API key and secret: use the button in that message, or type `/calls connect`.',
  ]
  return { status: 200, title, lines, button: ['Open Slack', new URL(`/app_redirect?${query}`, apiUrl).href] }
}

/** Returns mrkdwn of the direct message to the person who installed the app. */
export function welcomeText(installation: slackOAuth.Installation, apiUrl: string): string {
  const addUrl = addToWorkspacesUrl(installation, apiUrl)
  if (addUrl === undefined)
    return 'Thanks for installing Callboard. Connect your phone account, and your team can look up its calls in Slack. You need its API key and secret.'
  return [
    "Thanks for installing Callboard in your organization. It isn't in any of its workspaces yet:",
    `1. <${escapeText(addUrl)}|Add it to workspaces> that should have it.`,
    "2. In each of them, connect its phone account with its API key and secret: `/calls connect`. You are the administrator in each workspace that you belong to, and can name others in the Home tab, because Slack doesn't tell Callboard who is an admin of a single workspace.",
    '3. Try `/calls` there. `/callboard` shows everything else.',
  ].join('\n')
}

/** Maps stored data to its purpose and retention. All of it is deleted with the workspace. */
const storedData: Readonly<Record<string, string>> = {
  'The workspace or organization, its access token (encrypted), and the Slack ID of the person who installed Callboard':
    'To answer there, until Callboard is uninstalled',
  'API key and secret of the phone account (encrypted)':
    'To read the phone account, until `/calls disconnect`',
  'Time zones, access rules, administrators, names of lines, and which agent a person is':
    'To show calls as you set it up, until changed',
  'Alerts and schedules: what they are about, who set them up or muted them (Slack ID), the next billing date, the amounts of the last bill posted':
    'To post on time, until deleted in the Home tab',
  'Missed calls that an alert posted or will post: when, on which line, who set it up, and who took, assigned, released and finished them, by Slack ID and name; whom an alert reminds, by Slack ID':
    'To post each, to show who takes care of them, and for reports, 100 days',
  'Audit log: Slack ID of who connected, changed, shared, exported or posted what, and whose SIP password was viewed, by ID and name of the agent':
    'So that administrators can look up who did what, at least a year',
  'An export: who asked for what, and its calls in memory':
    'To finish it after a restart, until it is sent or cancelled',
  'Calls, agents, lines and reports, in memory only':
    'To turn pages and regroup reports, ten minutes at most',
  'Records that prevent duplicates': 'So that nothing is posted twice, 30 days',
  'Logs: IDs of workspaces and people, never a key, secret or password. Backups of all of this':
    'To keep Callboard running, for as long as whoever runs Callboard decides',
}

function renderStoredData(): string {
  const rows = Object.entries(storedData).map(
    ([what, why]) => `<tr><td>${withCode(what)}</td><td>${withCode(why)}</td></tr>`,
  )
  return `<table><tr><th scope="col">What is kept</th><th scope="col">Why, and how long</th></tr>${rows.join('')}</table>`
}

/** A message of an alert, drawn with HTML, so that the page loads nothing. */
const picture = `<figure role="img" aria-label="A message in Slack: 3 missed calls since 09:26. Two on the line Support Berlin, which Ben Okoro has, and one on Sales London, with a button to take it.">
  <b>3 missed calls since 09:26</b>
  <span>Support Berlin · 2 · 09:26–09:28 · Ben Okoro has them</span>
  <span>Sales London · 1 · 09:27 <i>Take</i></span>
  <span><i>Take all</i><i>Done</i><i>Show calls</i></span>
</figure>`

const benefits: Readonly<Record<string, string>> = {
  'No missed call is forgotten':
    'Missed calls appear in a channel as they happen. Someone takes them, everyone sees who, and the morning report says what is left.',
  'Answers where you work':
    '`/calls`, `/agents` and `/billing` answer in seconds. Only you see the reply, until you share it.',
  'The bill, checked and posted':
    'See what the account costs and whether the bill adds up. Post it to a channel after a preview, or on a schedule.',
}

function renderBenefits(): string {
  const items = Object.entries(benefits).map(
    ([title, text]) => `<li><strong>${escapeHtml(title)}</strong> ${withCode(text)}</li>`,
  )
  return `<ul class="benefits">${items.join('')}</ul>`
}

const renderSteps = (...steps: readonly string[]): string =>
  `<ol>${steps.map((step) => `<li>${withCode(step)}</li>`).join('')}</ol>`

/** Shows an address as people write it. */
const supportAnchor = (supportUrl: string): string =>
  anchor(supportUrl.replace(/^(mailto:|https:\/\/)/, '').replace(/\?.*$/, ''), supportUrl)

export function aboutPage(supportUrl: string, scopes: readonly string[]): string {
  const steps = renderSteps(
    'Slack shows what Callboard may do, and asks you to allow it in your workspace.',
    'Callboard writes to you. There, an administrator connects the phone account with its API key and secret.',
    "Type `/calls`. The administrator decides who sees calls, agents and billing. Guests can't ask, but read what is posted in their channels.",
  )
  const uses = optionalScopes
    .filter((scope) => scopes.includes(scope))
    .map((scope) => `With \`${scope}\`, Callboard ${scopeUses[scope]}.`)
  const permissions = paragraphs(
    "Callboard asks for permissions that you can leave out on Slack's page, and grant later by installing it again.",
    ...uses,
  )
  const content = [
    picture,
    renderBenefits(),
    buttonLink('Add to Slack', INSTALL_PATH),
    pageSection('next', 'What happens next', steps),
    pageSection('permissions', 'Optional permissions', permissions),
    pageSection('support', 'Support', paragraphs('For help with Callboard:') + supportAnchor(supportUrl)),
    `<footer>${anchor('Privacy', PRIVACY_PATH)}</footer>`,
  ]
  return renderPage('Missed calls, agents and phone bills, without leaving Slack', content.join(''))
}

export function privacyPage(supportUrl: string): string {
  const privacy = paragraphs(
    'Callboard reads calls, agents and bills from the phone service when someone asks for them, a report or bill is due, or an alert checks for missed calls. It cannot read channels: when someone chooses "Find calls by number" in the menu of a message, Slack sends it that one message, and none of it is kept.',
    'Data is kept in the database of whoever runs Callboard at this address. The access token, API key and secret are encrypted there. Data goes only to Slack (including Slackbot, when people ask it) and to the phone service.',
    'Only the person who asks sees the reply. Everyone in a channel, guests included, sees what people post or share there, missed-call alerts and scheduled posts.',
  )
  const yourData = paragraphs(
    'Export: `/calls export` sends calls, and `/callboard audit` the audit log, as a CSV file.',
    'Delete: uninstalling Callboard deletes all data about a workspace, and so does an administrator with `/callboard forget`. What was posted in Slack, or sent as a file, stays there, under the rules of the workspace.',
    'To see, transfer, correct or delete data about you or your workspace in any other way, write to:',
  )
  const content = [
    privacy,
    pageSection('retention', 'What is kept, and how long', renderStoredData()),
    pageSection('your-data', 'Access, transfer and deletion', yourData + supportAnchor(supportUrl)),
    `<footer>${anchor('About Callboard', '/')}</footer>`,
  ]
  return renderPage('Privacy', content.join(''))
}
