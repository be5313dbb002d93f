// The fight of benchmarks/turns.py on boardgame.io's client: eight combatants, each turn a move, an attack with its die
// and an end of turn, with budgets checked and the log kept. Prints one JSON line: turns a second, and each tenth's time.
const { Client } = require("boardgame.io/dist/cjs/client.js");

const rounds = Number(process.argv[2]);
const count = 8;

const game = {
  name: "fight",
  setup: () => ({
    fighters: Array.from({ length: count }, (_, i) => ({ bonus: i, defense: 15, hp: 100000, standard: 1, move: 1, swift: 1 })),
  }),
  turn: {
    onBegin: ({ G, ctx }) => {
      Object.assign(G.fighters[Number(ctx.currentPlayer)], { standard: 1, move: 1, swift: 1 });
    },
  },
  moves: {
    move: ({ G, ctx }) => {
      const own = G.fighters[Number(ctx.currentPlayer)];
      if (own.move < 1) return "INVALID_MOVE";
      own.move -= 1;
    },
    attack: ({ G, ctx, random }, target) => {
      const own = G.fighters[Number(ctx.currentPlayer)];
      if (own.standard < 1) return "INVALID_MOVE";
      own.standard -= 1;
      if (random.D20() + own.bonus >= G.fighters[target].defense) G.fighters[target].hp -= 1;
    },
  },
};

const client = Client({ game, numPlayers: count, debug: false });
client.start();
const tenths = [];
const began = process.hrtime.bigint();
let mark = began;
for (let round = 0; round < rounds; round++) {
  for (let i = 0; i < count; i++) {
    client.moves.move();
    client.moves.attack((i + 1) % count);
    client.events.endTurn();
  }
  if ((round + 1) % (rounds / 10) === 0) {
    const now = process.hrtime.bigint();
    tenths.push(Number(now - mark) / 1e9);
    mark = now;
  }
}
const seconds = Number(mark - began) / 1e9;
const turns = client.getState().ctx.turn - 1;
console.log(JSON.stringify({ rate: turns / seconds, tenths }));
