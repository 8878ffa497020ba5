import { AuthorizationError, type Installation, InvalidStateError, MissingStateError } from '@slack/oauth'
import type { HtmlPage } from './html-page.ts'
import { addToWorkspacesUrl } from './organisation.ts'
import { UsedStateError } from './state-store.ts'

const failure = (status: number, title: string, line: string, button = 'Try again') => {
  const link = { text: button, href: '/slack/install' }
  return { status, title, lines: [line], link }
}

/** What a person sees whose installation was not finished, and its HTTP status. */
export function failurePage(error: Error): ReturnType<typeof failure> {
  if (error instanceof AuthorizationError)
    return failure(403, 'Not installed', 'You cancelled. Nothing was installed.')
  if (error instanceof MissingStateError) {
    const line = 'Nothing was installed yet. The installation starts with this button.'
    return failure(400, 'Install Callboard', line, 'Install Callboard')
  }
  if (error instanceof UsedStateError) {
    const line = 'This page was loaded a second time. Open Slack and try `/calls` there.'
    return failure(400, 'Callboard may be installed already', line, 'Install again')
  }
  if (error instanceof InvalidStateError) {
    const line = 'This link has expired, or you opened it in another browser.'
    return failure(400, 'Link expired', line)
  }
  const line = 'Something went wrong between Slack and Callboard. Nothing was installed.'
  return failure(500, 'Not installed', line)
}

/** @param apiUrl base of Slack's Web API, ends in `/` */
export function successPage(installation: Installation, apiUrl: string): HtmlPage {
  const { appId, team, enterprise } = installation
  const where = team?.name ?? enterprise?.name
  const addUrl = addToWorkspacesUrl(installation, apiUrl)
  if (addUrl !== undefined)
    return {
      title: 'Callboard is installed',
      lines: [
        `${where ?? 'Your organisation'} has it now, but none of its workspaces yet. Next, choose those that should have it.`,
        'Then, in each of them, type `/calls connect` and enter the API key and secret of its phone account.',
      ],
      link: { text: 'Choose workspaces', href: addUrl },
    }
  const query = new URLSearchParams({ ...(appId ? { app: appId } : {}), ...(team ? { team: team.id } : {}) })
  return {
    title: 'Callboard is installed',
    lines: [
      `It's in ${where ?? 'your workspace'} now, and has sent you a message there.`,
      'Next, connect your phone account with its API key and secret: use the button in that message, or type `/calls connect`.',
    ],
    link: { text: 'Open Slack', href: new URL(`/app_redirect?${query}`, apiUrl).href },
  }
}

/** Where an installation begins. @param url Slack's page that asks for consent */
export const installPage = (url: string): HtmlPage => ({
  title: 'Install Callboard',
  lines: ["Your phone account's calls, agents and billing, without leaving Slack."],
  link: { text: 'Add to Slack', href: url },
})
