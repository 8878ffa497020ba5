// What the home tab says of an answer that comes by direct message.

export const onItsWayText = 'Your answer is on its way to Messages…'
export const inMessagesText = 'Your answer is in *Messages*, where only you can see it.'
