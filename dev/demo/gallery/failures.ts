import { agentsActions } from '../../../src/features/agents/command.ts'
import { billingActions } from '../../../src/features/billing/actions.ts'
import { fallbackFor } from '../../../src/features/calls/call-lists.ts'
import {
  AlreadyConnectedError,
  NotAllowedError,
  NotConnectedError,
  NotInstalledError,
} from '../../../src/slack/access/errors.ts'
import { DirectMessageRefusedError } from '../../../src/slack/api/post-message.ts'
import { SlackUnavailableError, TokenRefusedError } from '../../../src/slack/api/web-api.ts'
import { ForgedValueError } from '../../../src/slack/blocks/values.ts'
import { apology, type Fallback } from '../../../src/slack/deliver/answer.ts'
import { channelRefusal, describeFailure, unconfirmedShareText } from '../../../src/slack/deliver/failures.ts'
import { noticeModal, waitingModal } from '../../../src/slack/deliver/modals.ts'
import { UndecryptableError } from '../../../src/store/errors.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  ServiceUnavailableError,
  TooManyWaitingError,
} from '../../../src/telephony/errors.ts'
import { type FeatureSample, forBoth, message, modal, text } from './sample.ts'
import { ada, ben, finance } from './setting.ts'

const ofCalls: Fallback = {
  ...fallbackFor({ direction: 'incoming', page: 1 }),
  request: 'missed calls, 9–15 Nov',
}
const ofAgents: Fallback = {
  retry: agentsActions.retry.button('Try again', { name: '', page: 1 }),
  request: 'the agents',
}
const ofBilling: Fallback = {
  retry: billingActions.refresh.button('Try again'),
  request: 'the billing details',
}

const away = new ServiceUnavailableError('incoming', 'timeout')
const failures: readonly (readonly [name: string, error: Error, fallback?: Fallback])[] = [
  ['Not connected', new NotConnectedError()],
  ['Connected meanwhile', new AlreadyConnectedError()],
  ['Key and secret that can no longer be read', new UndecryptableError('no such key', 'k0')],
  ['Key and secret no longer accepted', new CredentialsRejectedError('incoming')],
  ['The service is away, for calls', away],
  ['The service is away, for agents', away, ofAgents],
  ['The service is away, for billing', away, ofBilling],
  ['The service asks to wait', new RateLimitedError('incoming', 90_000)],
  ['The service refuses, for calls', new RequestRefusedError('incoming')],
  ['The service refuses, for agents', new RequestRefusedError('agents'), ofAgents],
  ['Too many waiting', new TooManyWaitingError('incoming')],
  ['Not for guests', new NotAllowedError('member')],
  ['For administrators', new NotAllowedError('admin')],
  [
    'For administrators, two of whom were named',
    new NotAllowedError('admin', { hasSlackRoles: true, people: [ada, ben] }),
  ],
  [
    'For administrators, in an organisation',
    new NotAllowedError('admin', { hasSlackRoles: false, people: [ada] }),
  ],
  ['Calls are not for everyone', new NotAllowedError('calls')],
  ['Recordings are not for everyone', new NotAllowedError('recordings')],
  ['Agents are not for everyone', new NotAllowedError('agents')],
  ['Billing is not for everyone', new NotAllowedError('billing', { hasSlackRoles: true, people: [ben] })],
  ['Not installed', new NotInstalledError()],
  ['Token refused', new TokenRefusedError('invalid_auth')],
  ['Slack is away', new SlackUnavailableError('views.open')],
  ['No direct messages from apps', new DirectMessageRefusedError('messages_tab_disabled')],
  ['A direct message is refused', new DirectMessageRefusedError('restricted_action')],
  ['A button of somebody else', new ForgedValueError('a query')],
  ['Something else', new Error('unforeseen')],
]

const described = (error: Error, isAdmin: boolean, { request }: Fallback = ofCalls) => {
  const context = { isAdmin, request, reference: '4f1c0a77' }
  return { context, failure: describeFailure(error, context) }
}

const channels = ['not-in', 'unknown', 'archived', 'shared', 'org-shared', 'direct'] as const

export const failed: readonly FeatureSample[] = [
  ...failures.flatMap(([name, error, fallback = ofCalls]) =>
    forBoth(name, (own, isAdmin) => {
      const { context, failure } = described(error, isAdmin, fallback)
      return message(own, apology(failure, context, fallback).message)
    }),
  ),
  modal('In a modal: one moment', waitingModal),
  modal('In a modal: the service is away', noticeModal(described(away, false).failure.text)),
  text('A share that may have arrived', unconfirmedShareText),
  ...channels.map((state) => text(`A channel that is refused: ${state}`, channelRefusal(state, finance))),
]
