/** Wording that screens avoid, and its replacement. */
export const replacedWords: readonly (readonly [words: RegExp, by: string])[] = [
  [/telephony (account|service|provider)/i, 'phone account, phone service'],
  [/\b(this|right|same|the|new) pair\b/i, 'API key and secret'],
  [/(?<!\b[Tt]ime )\b[Zz]ones?\b/, 'time zone'],
  [/every (status|agent)\b/i, 'all calls, all agents'],
  [/\bany da(y|te)\b/i, 'all dates'],
  [/\bbehind it\b|contradicts an/i, 'Add a name, Choose one'],
  [/calls that nobody took|\bin figures\b|All words/, 'missed calls, summary, All commands'],
  [
    /\bI (read|searched|ran|had|sent|can(?!'t)|could(?!n't)|did(?!n't)|do(?!n't))|\bI've\b/,
    'Searched 12,040 calls.',
  ],
  [/\b[Ww]e (can|could|test|store|never)|\b(asks?|asked|to) us\b|\bon our side\b/, 'in Callboard'],
  [/\bnot understood\b|isn't recognised\b/i, "I didn't understand …"],
  [
    /\bIt is sent once\b|\bcan make you one\b/,
    'This request is sent only once, Ask a workspace admin about access',
  ],
  [/\bsomebody\b|\bnobody called\b/i, 'people, none was called'],
  [/\bfits? (several|no)\b/i, '3 agents match'],
  [/\bis no (day|date|time zone)\b/i, "isn't a date"],
  [/\byou alone\b/i, 'only you can see this'],
  [/who may see what/i, 'Change access…'],
  [/in (your|the|whose) name\b/i, 'Scheduled by'],
  [/\bretry\b/i, 'Try again'],
  [/\bcan not\b/i, "can't"],
]
