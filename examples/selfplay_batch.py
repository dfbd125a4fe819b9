"""Self-play in one file: masked PPO learns Azul from both seats of a Batch, and beats random play in a minute."""

import sys
import time

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from ludens import Batch

GAMES, STEPS, EPOCHS, PARTS, CLIP, LAMBDA, ENTROPY, RATE = 256, 64, 3, 8, 0.2, 0.95, 0.01, 1e-3
OPTIONS = {"players": 2, "round_limit": 50}  # the limit keeps games of beginners finite


class Net(nn.Module):
    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.policy, self.value = nn.Linear(256, actions), nn.Linear(256, 1)

    def forward(self, features: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        x = self.body(features)
        return Categorical(logits=self.policy(x).masked_fill(mask == 0, -1e9)), self.value(x)[:, 0]


def train(seconds: float, seed: int = 1) -> Net:
    torch.manual_seed(seed)
    batch = Batch("azul", GAMES, OPTIONS, seed=seed)
    out = batch.buffers()
    batch.reset(out)
    features, mask = torch.from_dlpack(out.features), torch.from_dlpack(out.mask)  # the same memory: no copies
    net = Net(features.shape[1], mask.shape[1])
    optimizer = torch.optim.Adam(net.parameters(), RATE)
    games = np.arange(GAMES)
    started = time.monotonic()
    while time.monotonic() - started < seconds:
        rows, gains, gain = [], [], torch.zeros(GAMES)
        with torch.no_grad():
            for _ in range(STEPS):
                choice, value = net(features, mask)
                action = choice.sample()
                row = (features.clone(), mask.clone(), action, choice.log_prob(action), value)
                actor = out.actor.copy()
                batch.step(action.numpy(), out)
                own = torch.tensor(out.reward[games, actor])
                side = torch.tensor(np.where(out.actor == actor, 1.0, -1.0), dtype=torch.float32)  # whose value follows
                rows.append((*row, own.float(), side * torch.tensor(out.done == 0)))
            following = net(features, mask)[1]
        for _, _, _, _, value, reward, side in reversed(rows):  # generalised advantage estimation, no discount
            gain = reward + side * (following + LAMBDA * gain) - value
            gains, following = [gain, *gains], value
        old_x, old_mask, old_action, old_log, old_value = map(torch.cat, list(zip(*rows, strict=True))[:5])
        advantage, target = torch.cat(gains), old_value + torch.cat(gains)
        for part in (part for _ in range(EPOCHS) for part in torch.randperm(len(old_x)).chunk(PARTS)):
            choice, value = net(old_x[part], old_mask[part])
            ratio = (choice.log_prob(old_action[part]) - old_log[part]).exp()
            a = (advantage[part] - advantage[part].mean()) / (advantage[part].std() + 1e-8)
            loss = -torch.min(ratio * a, ratio.clamp(1 - CLIP, 1 + CLIP) * a).mean() - ENTROPY * choice.entropy().mean()
            optimizer.zero_grad()
            (loss + 0.5 * (value - target[part]).square().mean()).backward()
            optimizer.step()
    return net


def win_shares(net: Net, games: int = 1000, seed: int = 2) -> np.ndarray:
    batch = Batch("azul", games, OPTIONS, seed=seed)
    out, shares, seats = batch.buffers(), np.full(games, np.nan), np.arange(games) % 2
    batch.reset(out)
    while np.isnan(shares).any():
        with torch.no_grad():
            best = net(torch.from_dlpack(out.features), torch.from_dlpack(out.mask))[0].logits.argmax(1).numpy()
        batch.step(np.where(out.actor == seats, best, batch.sample()), out)
        first = (out.done == 1) & np.isnan(shares)
        shares[first] = (out.final_returns[first, seats[first]] + 1) / 2
    return shares


if __name__ == "__main__":
    shares = win_shares(train(float(sys.argv[1]) if len(sys.argv) > 1 else 60))
    print(f"win share against random: {shares.mean():.1%} ± {1.96 * shares.std(ddof=1) / len(shares) ** 0.5:.1%}")
