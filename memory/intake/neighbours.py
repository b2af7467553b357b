"""What a user already holds that a new claim might repeat or contradict: the same slot, or near in words or meaning."""

from uuid import UUID

import numpy as np
from django.db.models import Q

from memory.index import embedded, serving, text
from memory.intake.types import Category, Claim, Held
from memory.models import EndUser, Memory
from memory.models.memory import MemoryStatus

NEAREST = 20


class Neighbours:
    """The candidates for comparison, found through the index as it was at `user.revision`, plus what `add` brought."""

    def __init__(self, user: EndUser):
        self._user = user
        self._embedder = serving.get_embedder()
        self._index = embedded.load(user, self._embedder.model_id if self._embedder else None)
        self._added: list[UUID] = []
        self._memories: dict[str, Memory] = {}

    def add(self, memory: Memory) -> None:
        """Makes a memory of this same episode a neighbour of its next claims."""
        self._added.append(memory.pk)

    def memory(self, held_id: str) -> Memory:
        """The memory behind one of the answers of `of`."""
        return self._memories[held_id]

    def of(self, claim: Claim) -> list[Held]:
        """At most some forty held claims, each with its cosine similarity (0 without an embedder)."""
        similar = self._similar(claim)
        slot = Q(subject=claim.subject, attribute=claim.attribute) if claim.attribute else Q(pk=None)
        found = Memory.objects.filter(
            Q(pk__in=[*similar, *self._added]) | slot,
            workspace_id=self._user.workspace_id, user_id=self._user.pk, status=MemoryStatus.ACTIVE,
        ).order_by("-event_time")[: 3 * NEAREST]  # fmt: skip
        held = []
        for memory in found:
            self._memories[str(memory.pk)] = memory
            held.append(
                Held(
                    id=str(memory.pk),
                    claim=claim_of(memory),
                    event_time=memory.event_time,
                    similarity=similar.get(memory.pk, 0.0),
                )  # fmt: skip
            )
        return held

    def _similar(self, claim: Claim) -> dict[UUID, float]:
        index = self._index
        if not len(index):
            return {}
        near: dict[UUID, float] = {}
        words = index.words.scores(text.terms(claim.text))
        cosines = np.zeros(len(index), dtype=np.float32)
        if index.matrix is not None and (vector := serving.text_vector(self._embedder, claim.text)) is not None:
            cosines = index.matrix @ vector
        for arm in (words, cosines):
            for row in np.argsort(-arm)[:NEAREST]:
                if arm[row] > 0:
                    near[index.ids[row]] = float(cosines[row])
        return near


def claim_of(memory: Memory) -> Claim:
    """A memory as the claim it was made from."""
    return Claim(
        text=memory.text, quote=memory.text, category=Category(memory.category), subject=memory.subject,
        attribute=memory.attribute, value=memory.value, negated=memory.negated, past=memory.past,
        valid_from=memory.valid_from, valid_to=memory.valid_to,
    )  # fmt: skip
